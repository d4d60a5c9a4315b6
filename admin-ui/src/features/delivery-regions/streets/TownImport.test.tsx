import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Restaurant } from '../../../generated/model';
import { ApiError } from '../../../lib/http';
import base from '../../../lib/texts/en';
import { setTarget } from '../../../lib/target';
import en from '../en';
import TownImport from './TownImport';

const calls = vi.hoisted(() => ({ send: vi.fn() }));
vi.mock('../../../lib/query', () => ({ useForget: () => async () => undefined }));
vi.mock('../../../generated/client/restaurants/restaurants', async (original) => ({
  ...(await original<object>()),
  deliveryRegionsImport: calls.send,
}));
vi.setConfig({ testTimeout: 30_000 });

const ANSWER = {
  added: 1,
  changed: 0,
  rows: [
    { row: 2, name: 'Budaörs', price: 790, min_order_price: 4000, what: 'same' },
    { row: 3, name: 'Páty', postcode: '2071', price: 1290, min_order_price: 5000, what: 'added' },
  ],
};
const closed = vi.fn();

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: { ...base, ...en } } },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  });
  setTarget({ id: 'r', partner_id: 'p' } as Restaurant);
});
afterAll(() => setTarget(undefined));
beforeEach(() => {
  calls.send.mockReset();
  closed.mockReset();
  calls.send.mockResolvedValue(ANSWER);
});

/** Chooses a file: the dialog of the browser is answered at once. */
async function choose(name: string, text = 'x'): Promise<void> {
  const file = new File([text], name);
  file.arrayBuffer = async () => new TextEncoder().encode(text).buffer;
  const click = vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(function (
    this: HTMLInputElement,
  ) {
    Object.defineProperty(this, 'files', { value: [file] });
    this.onchange?.(new Event('change'));
  });
  await act(async () => {
    screen.getByText('Choose a file').closest('button')!.focus();
    fireEvent.click(screen.getByText('Choose a file'));
  });
  click.mockRestore();
}
const show = () =>
  render(
    <App>
      <TownImport onClose={closed} />
    </App>,
  );

it('rehearses the list first, and writes only when somebody says so', async () => {
  show();
  await choose('towns.csv');
  await screen.findByText('towns.csv: 1 new, 0 changed, 1 unchanged.');
  expect(calls.send).toHaveBeenCalledTimes(1);
  expect(calls.send.mock.lastCall![2]).toMatchObject({ dry_run: true });
  // What changes something stands first.
  const names = [...document.querySelectorAll('tbody tr td:first-child, .list-card-head')]
    .map((cell) => cell.textContent)
    .filter(Boolean);
  expect(names.filter((name) => name !== 'City')).toEqual(['Páty', 'Budaörs']);
  // What covers less than a town says so.
  expect(screen.getByText('2071')).toBeTruthy();
  expect(screen.getByText(en['region_import.postcode_only'])).toBeTruthy();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Import'));
  fireEvent.click(screen.getByText('Import'));
  await waitFor(() => expect(closed).toHaveBeenCalled());
  expect(calls.send.mock.lastCall![2]).toMatchObject({ dry_run: false });
});

it('a list that changes nothing cannot be read in', async () => {
  calls.send.mockResolvedValue({ added: 0, changed: 0, rows: [ANSWER.rows[0]] });
  show();
  await choose('same.csv');
  await screen.findByText('The file would change nothing.');
  expect(screen.getByText('Import').closest('button')!.disabled).toBe(true);
});

it('says the faults of a refused list row by row', async () => {
  calls.send.mockRejectedValue(
    new ApiError({
      status: 422,
      code: 'VALIDATION_FAILED',
      keys: ['file'],
      rows: [
        { row: 4, key: 'city', fault: 'required' },
        { row: 7, key: 'price', fault: 'too_long', name: 'Érd' },
      ],
    }),
  );
  show();
  await choose('broken.xlsx');
  await screen.findByText('Errors in the file: 2');
  const text = document.body.textContent;
  for (const words of ['Row 4', 'City', 'Row 7', 'Érd', 'Delivery fee', base['problem.field']])
    expect(text).toContain(words);
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Choose a file'));
  expect(screen.queryByText('Import')).toBeNull();
});
