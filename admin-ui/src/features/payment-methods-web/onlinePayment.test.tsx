import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { useState } from 'react';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { PaymentMethodsChange, PaymentSettings, Restaurant } from '../../generated/model';
import { UnsavedProvider } from '../../lib/form/unsaved';
import { ApiError } from '../../lib/http';
import { setTarget } from '../../lib/target';
import shared from '../../lib/texts/en';
import en from './en';
import { OnlinePayment } from './OnlinePayment';

vi.mock('../../generated/client/restaurants/restaurants', async (original) => ({
  ...(await original<object>()),
  providerAccountsList: async () => [{ id: 'a1', provider: 'simplepay' }],
}));
vi.setConfig({ testTimeout: 60_000 });

// Its account is gone, its text stays.
const OF_BARION = { provider: 'barion', outcome: 'paid', hu: 'Megvan', en: null } as const;
const OWN = { provider: 'simplepay', outcome: 'refused', hu: 'Nem ment', en: 'It failed' } as const;
const START = {
  version: 4,
  charge_when_accepted: false,
  ask_before_refunds: true,
  page_texts: [OF_BARION, OWN],
} as unknown as PaymentSettings;
const save = vi.fn<(body: PaymentMethodsChange) => Promise<void>>();

/** The screen shows what the service answers. */
function Screen() {
  const [data, setData] = useState(START);
  const put = async (body: PaymentMethodsChange) => {
    await save(body);
    const after = { ...data, ...body, version: data.version + 1 } as PaymentSettings;
    setData(after);
    return after;
  };
  return <OnlinePayment data={data} save={put} />;
}

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: { ...shared, ...en, 'errors.CONFLICT': 'Changed meanwhile.' } } },
    interpolation: { escapeValue: false },
    keySeparator: false,
    nsSeparator: false,
  });
  setTarget({ id: 'r', partner_id: 'p' } as Restaurant);
});
afterAll(() => setTarget(undefined));
beforeEach(() => {
  save.mockReset().mockResolvedValue();
  const element = (
    <UnsavedProvider>
      <Screen />
    </UnsavedProvider>
  );
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
      </App>
    </QueryClientProvider>,
  );
});
afterEach(cleanup);

const field = async (outcome: string, language: string) =>
  within(
    await screen.findByRole('group', { name: outcome, hidden: true }),
  ).getByLabelText<HTMLTextAreaElement>(language);
const type = async (outcome: string, language: string, value: string) =>
  fireEvent.change(await field(outcome, language), { target: { value } });
const press = () =>
  act(async () =>
    fireEvent.click(screen.getByRole('button', { name: shared['action.save']!, hidden: true })),
  );

it('sends the switch alone, and takes it back', async () => {
  const flag = await screen.findByRole('switch', { name: en['payment_methods.charge_when_accepted'] });
  expect(flag.getAttribute('aria-checked')).toBe('false');
  await act(async () => fireEvent.click(flag));
  expect(save.mock.calls).toEqual([[{ charge_when_accepted: true }]]);
  await act(async () => fireEvent.click(await screen.findByRole('button', { name: /undo/i })));
  expect(save.mock.lastCall).toEqual([{ charge_when_accepted: false }]);
});

it('sends all texts with the changed one, and the emptied one no more', async () => {
  await screen.findByText('Own texts: 1');
  expect(screen.queryByText('Barion')).toBeNull();
  expect((await field('Refused by the bank', 'In English')).value).toBe('It failed');
  await type('Paid', 'In Hungarian', ' Köszönjük! ');
  await press();
  const paid = { provider: 'simplepay', outcome: 'paid', hu: 'Köszönjük!', en: null };
  await waitFor(() =>
    expect(save.mock.lastCall).toEqual([{ page_texts: [OF_BARION, paid, OWN], version: 4 }]),
  );
  await screen.findByText('Own texts: 2');
  await type('Refused by the bank', 'In Hungarian', '');
  await type('Refused by the bank', 'In English', '');
  await press();
  await waitFor(() => expect(save.mock.lastCall).toEqual([{ page_texts: [OF_BARION, paid], version: 5 }]));
});

it('says at the field that an English text alone cannot be sent', async () => {
  await type('Out of time', 'In English', 'Too late');
  await press();
  await screen.findByText(en['payment_methods.hu_missing']);
  expect(save).not.toHaveBeenCalled();
  await type('Out of time', 'In Hungarian', 'Lejárt');
  save.mockRejectedValueOnce(new ApiError({ status: 409, code: 'CONFLICT', title: 'x' }));
  await press();
  await screen.findByText('Changed meanwhile.');
  // What was typed is still there.
  expect((await field('Out of time', 'In Hungarian')).value).toBe('Lejárt');
});
