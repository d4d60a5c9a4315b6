import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { useState } from 'react';
import { initReactI18next } from 'react-i18next';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Restaurant } from '../../../generated/model';
import { FieldStateContext } from '../../../lib/form/fieldState';
import { setTarget } from '../../../lib/target';
import shared from '../../../lib/texts/en';
import en from '../en';
import { ExternalIds } from './ExternalIds';
import { type Ids, idsOf, SIZE_IDS } from './externalIds';

const calls = vi.hoisted(() => ({ generate: vi.fn() }));
vi.mock('../../../generated/client/catalogue/catalogue', async (original) => ({
  ...(await original<object>()),
  remoteIdsGenerate: calls.generate,
}));

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: { ...shared, ...en } } },
    interpolation: { escapeValue: false },
    keySeparator: false,
    nsSeparator: false,
  });
  setTarget({ id: 'r', partner_id: 'p' } as Restaurant);
});
afterAll(() => setTarget(undefined));
beforeEach(() => calls.generate.mockReset().mockResolvedValue({ remote_id: '123456789' }));
afterEach(cleanup);

function Probe({ ids, locked = false }: { ids: Ids<(typeof SIZE_IDS)[number]>; locked?: boolean }) {
  const [value, setValue] = useState(ids);
  return (
    <App>
      <FieldStateContext value={{ faults: {}, busy: false, locked }}>
        <ExternalIds
          resource="subproducts"
          fields={SIZE_IDS}
          prefix="subproducts.a."
          value={value}
          onChange={(change) => setValue((old) => ({ ...old, ...change }))}
          taken={(field) => [`other-${field}`, '']}
        />
      </FieldStateContext>
    </App>
  );
}
it('draws an id that the draft does not have yet, into an empty field alone', async () => {
  render(<Probe ids={idsOf(SIZE_IDS, { bolt_id: 'b1' })} />);
  expect(screen.queryByRole('button', { name: 'Draw a free id: Bolt Food id' })).toBeNull();
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Draw a free id: Wolt id' })));
  expect(calls.generate).toHaveBeenCalledWith('p', 'r', {
    platform_id: 'wolt',
    'skip_ids[]': ['other-wolt_id'],
  });
  expect(screen.getByLabelText('Wolt id')).toHaveProperty('value', '123456789');
  expect(document.activeElement).toBe(screen.getByLabelText('Wolt id'));
  expect(screen.queryByRole('button', { name: 'Draw a free id: Wolt id' })).toBeNull();
});

it('draws nothing for who may not edit', () => {
  render(<Probe ids={idsOf(SIZE_IDS, { bolt_id: 'b1' })} locked />);
  expect(screen.queryAllByRole('button')).toEqual([]);
  expect(screen.getByLabelText('Wolt id')).toHaveProperty('disabled', true);
});
