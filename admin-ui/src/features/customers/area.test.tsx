import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Me, Restaurant, ShadowCustomerDetails } from '../../generated/model';
import { registerFeatures } from '../../lib/features';
import { UnsavedProvider } from '../../lib/form/unsaved';
import { ApiError } from '../../lib/http';
import { IDLE_MS } from '../../lib/pin/memory';
import { session } from '../../lib/session';
import { RestaurantContext, setTarget } from '../../lib/target';
import shared from '../../lib/texts/en';
import account from '../account/feature';
import Customers from '.';
import en from './en';
import feature from './feature';

const calls = vi.hoisted(() => ({
  list: vi.fn(),
  get: vi.fn(),
  update: vi.fn(),
  orders: vi.fn(),
  rows: vi.fn(),
  sum: vi.fn(),
  pay: vi.fn(),
  pin: vi.fn(),
  features: vi.fn(),
}));
vi.mock('../../generated/client/people/people', async (original) => ({
  ...(await original<object>()),
  shadowCustomersList: calls.list,
  shadowCustomersGet: calls.get,
  shadowCustomersUpdate: calls.update,
  shadowCustomerOrdersList: calls.orders,
  shadowCustomerBalanceList: calls.rows,
  shadowCustomerBalanceSum: calls.sum,
  shadowCustomerBalanceCreate: calls.pay,
}));
vi.mock('../../generated/client/session/session', async (original) => ({
  ...(await original<object>()),
  restaurantPinsValidate: calls.pin,
}));
vi.mock('../../generated/client/restaurants/restaurants', async (original) => ({
  ...(await original<object>()),
  featuresList: calls.features,
  paymentMethodsList: async () => [],
}));
vi.setConfig({ testTimeout: 60_000 });

const RESTAURANT = { id: 'r', partner_id: 'p', name: 'Bisztró', currency: 'huf' } as Restaurant;
const ROW = {
  id: 'c1',
  name: 'Kovács Anna',
  first_name: 'Anna',
  last_name: 'Kovács',
  phone_1: '+3615550100',
  note: null,
  external_ids: [],
  addresses: [],
  merged: [],
  order_number: 3,
  order_total_sum: 12500,
  balance: -500,
  points: null,
  currency: 'HUF',
  created_at: '2026-01-01T08:00:00Z',
  updated_at: '2026-01-01T08:00:00Z',
  version: 4,
} as unknown as ShadowCustomerDetails;
const PINNED = { 'X-Pin': '2580' };

beforeAll(async () => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly seen: (entries: { isIntersecting: boolean }[]) => void;
      constructor(seen: (entries: { isIntersecting: boolean }[]) => void) {
        this.seen = seen;
      }
      observe() {
        this.seen([{ isIntersecting: true }]);
      }
      disconnect() {}
    },
  );
  registerFeatures({
    './account/feature.ts': { default: account },
    './customers/feature.ts': { default: feature },
  });
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: { ...shared, ...en } } },
    keySeparator: false,
    nsSeparator: false,
  });
  const own = { partner_id: 'p', target_type: 'Partner', permissions: ['customer'] };
  session.set({ super_admin: false, targets: [own] } as unknown as Me);
  setTarget(RESTAURANT);
});
afterAll(() => {
  session.set(null);
  setTarget(undefined);
  registerFeatures({});
  vi.unstubAllGlobals();
});
beforeEach(() => {
  for (const call of Object.values(calls)) call.mockReset();
  calls.pin.mockImplementation(async (_p, _r, { pin }: { pin: string }) => ({ is_valid: pin === '2580' }));
  calls.list.mockResolvedValue([ROW]);
  calls.get.mockResolvedValue(ROW);
  calls.orders.mockResolvedValue([]);
  calls.rows.mockResolvedValue([]);
  calls.sum.mockResolvedValue({ sum: -500, in: 0, out: -500, currency: 'HUF' });
  calls.features.mockResolvedValue([{ feature: 'balance' }]);
});
afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

function open(sub = '') {
  const router = createMemoryRouter(
    [
      {
        path: '/r/:restaurant/:slug/*',
        element: (
          <UnsavedProvider>
            <RestaurantContext.Provider value={RESTAURANT}>
              <Customers />
            </RestaurantContext.Provider>
          </UnsavedProvider>
        ),
      },
    ],
    { initialEntries: [`/r/r/customers${sub}`] },
  );
  render(
    <App>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </App>,
  );
  return router;
}
const pinField = () => screen.findByLabelText(shared['pin.label']!);
async function sendPin(pin = '2580') {
  fireEvent.change(await pinField(), { target: { value: pin } });
  await act(async () => fireEvent.submit(await pinField()));
}
const button = (name: string | RegExp) => screen.findByRole('button', { name });

describe('the gate', () => {
  it('asks before anything is read, and again after a wrong PIN', async () => {
    open();
    await sendPin('1111');
    await button(shared['pin.again']!);
    expect(((await pinField()) as HTMLInputElement).value).toBe('');
    expect(calls.list).not.toHaveBeenCalled();
    await sendPin();
    expect(await screen.findByText('Kovács Anna')).toBeTruthy();
    expect(calls.list.mock.calls[0]!.slice(2, 4)).toEqual([{ limit: 40, page: 0, count: true }, PINNED]);
  });

  it('says that there is no PIN yet', async () => {
    calls.pin.mockRejectedValue(new ApiError({ status: 403, code: 'PIN_REQUIRED' }));
    open();
    await sendPin();
    expect(await screen.findByText(shared['pin.not_set']!)).toBeTruthy();
  });

  it('asks again when the service does not take the PIN any more', async () => {
    calls.list.mockRejectedValue(new ApiError({ status: 403, code: 'PIN_INVALID' }));
    open();
    await sendPin();
    await waitFor(() => expect(calls.list).toHaveBeenCalledOnce());
    expect(await pinField()).toBeTruthy();
  });

  it('comes back after five minutes, and what was read is gone', async () => {
    open('/c1');
    await sendPin();
    await screen.findByDisplayValue('Kovács');
    vi.useFakeTimers();
    act(() => void fireEvent.keyDown(document.body, { key: 'a' }));
    act(() => void vi.advanceTimersByTime(IDLE_MS));
    expect(screen.queryByDisplayValue('Kovács')).toBeNull();
    vi.useRealTimers();
    expect(await pinField()).toBeTruthy();
  });

  it('covers what is unsaved, which is there again behind it', async () => {
    open('/c1');
    await sendPin();
    fireEvent.change(await screen.findByLabelText(en['shadow_customers.note']), {
      target: { value: 'By the window' },
    });
    vi.useFakeTimers();
    act(() => void fireEvent.keyDown(document.body, { key: 'a' }));
    act(() => void vi.advanceTimersByTime(IDLE_MS));
    vi.useRealTimers();
    expect(await screen.findByText(en['customers.pin_covered'])).toBeTruthy();
    await sendPin();
    await waitFor(() => expect(screen.queryByText(en['customers.pin_covered'])).toBeNull());
    expect(screen.getByDisplayValue('By the window')).toBeTruthy();
  });
});

describe('the editor', () => {
  it('sends what differs, with the version', async () => {
    calls.update.mockResolvedValue({ ...ROW, note: 'By the window', version: 5 });
    open('/c1');
    await sendPin();
    fireEvent.change(await screen.findByLabelText(en['shadow_customers.note']), {
      target: { value: 'By the window' },
    });
    fireEvent.click(await button(shared['action.save']!));
    await waitFor(() => expect(calls.update).toHaveBeenCalledOnce());
    expect(calls.update.mock.calls[0]!.slice(2)).toEqual([
      'c1',
      { note: 'By the window', version: 4 },
      {},
      PINNED,
    ]);
  });

  it('of one who was merged can only be looked at', async () => {
    calls.get.mockResolvedValue({ ...ROW, merged_into: 'c2', merged_at: '2026-02-01T08:00:00Z' });
    open('/c1');
    await sendPin();
    expect(await screen.findByRole('link', { name: en['customers.merged_open'] })).toBeTruthy();
    expect(await screen.findByLabelText(en['shadow_customers.note'])).toHaveProperty('disabled', true);
    expect(screen.queryByText(en['customers.anonymise'])).toBeNull();
  });

  it('enters a payment out with its sign, at the service’s time', async () => {
    calls.pay.mockResolvedValue({});
    open('/c1');
    await sendPin();
    fireEvent.click(await button(en['customers.balance_add']));
    await screen.findByRole('dialog');
    fireEvent.click(screen.getByLabelText(en['customers.balance_out']));
    fireEvent.click(await button(en['customers.balance_do']));
    expect(await screen.findByText(shared['form.required']!)).toBeTruthy();
    const value = screen.getByLabelText(new RegExp(`^${en['customers.value']}`));
    fireEvent.change(value, { target: { value: '1 500 Ft' } });
    fireEvent.blur(value);
    fireEvent.click(await button(en['customers.balance_do']));
    await waitFor(() => expect(calls.pay).toHaveBeenCalledOnce());
    expect(calls.pay.mock.calls[0]!.slice(2, 4)).toEqual(['c1', { value: -1500, payment_method: 'cash' }]);
    expect(calls.pay.mock.calls[0]![5]).toMatchObject(PINNED);
  });

  it('shows nothing of balances without the feature', async () => {
    calls.features.mockResolvedValue([]);
    calls.get.mockResolvedValue({ ...ROW, balance: null });
    open('/c1');
    await sendPin();
    await screen.findByDisplayValue('Kovács');
    expect(screen.queryByText(en['customers.balance_history'])).toBeNull();
    expect(calls.rows).not.toHaveBeenCalled();
  });
});
