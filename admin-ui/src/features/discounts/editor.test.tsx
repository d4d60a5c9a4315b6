import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Discount, Me, Restaurant } from '../../generated/model';
import { registerFeatures } from '../../lib/features';
import { UnsavedProvider } from '../../lib/form/unsaved';
import { ApiError } from '../../lib/http';
import { session } from '../../lib/session';
import { RestaurantContext, setTarget } from '../../lib/target';
import account from '../account/feature';
import DiscountEditor from './Editor';
import feature from './feature';
import { SAVED } from './sample.test-data';

const calls = vi.hoisted(() => ({
  get: vi.fn(),
  create: vi.fn(),
  update: vi.fn(),
  usages: vi.fn(),
  name: vi.fn(),
  forget: vi.fn(),
  customers: vi.fn(),
  pin: vi.fn(),
  restaurants: vi.fn(),
}));
vi.mock('../../generated/client/orders/orders', async (original) => ({
  ...(await original<object>()),
  discountsGet: calls.get,
  discountsCreate: calls.create,
  discountsUpdate: calls.update,
  discountUsagesList: calls.usages,
  discountUsagesCreate: calls.name,
  discountUsagesDelete: calls.forget,
}));
vi.mock('../../generated/client/people/people', () => ({ shadowCustomersList: calls.customers }));
vi.mock('../../generated/client/session/session', async (original) => ({
  ...(await original<object>()),
  restaurantPinsValidate: calls.pin,
}));
vi.mock('../../generated/client/restaurants/restaurants', async (original) => ({
  ...(await original<object>()),
  restaurantsList: calls.restaurants,
}));
vi.mock('../../generated/client/catalogue/catalogue', async (original) => ({
  ...(await original<object>()),
  subproductsPick: async () => [],
}));
vi.setConfig({ testTimeout: 60_000 });

const RESTAURANT = { id: 'r', partner_id: 'p', name: 'Bisztró', currency: 'huf' } as Restaurant;

beforeAll(async () => {
  registerFeatures({
    './account/feature.ts': { default: account },
    './discounts/feature.ts': { default: feature },
  });
  await i18next
    .use(initReactI18next)
    .init({ lng: 'en', resources: { en: { translation: {} } }, keySeparator: false, nsSeparator: false });
  const own = { partner_id: 'p', target_type: 'Partner', permissions: ['discount'] };
  session.set({ super_admin: false, targets: [own] } as unknown as Me);
  setTarget(RESTAURANT);
});
afterAll(() => {
  session.set(null);
  setTarget(undefined);
  registerFeatures({});
});
beforeEach(() => {
  for (const call of Object.values(calls)) call.mockReset();
  calls.get.mockResolvedValue(SAVED);
  calls.create.mockImplementation(async () => SAVED);
  calls.update.mockImplementation(async () => ({ ...SAVED, version: 2 }));
  calls.usages.mockResolvedValue([
    {
      id: 'u1',
      shadow_customer_id: 'c1',
      shadow_customer: { id: 'c1', name: 'Kovács Anna' },
      created_at: '2026-05-01T08:00:00Z',
    },
  ]);
  calls.customers.mockResolvedValue([{ id: 'c2', name: 'Nagy Béla', phone_1: '+3615550100' }]);
  calls.restaurants.mockResolvedValue([{ id: 'r', name: 'Bisztró' }]);
});

async function show(id?: string) {
  const element = (
    <UnsavedProvider>
      <RestaurantContext.Provider value={RESTAURANT}>
        <DiscountEditor id={id} />
      </RestaurantContext.Provider>
    </UnsavedProvider>
  );
  const router = createMemoryRouter([{ path: '/r/:restaurant/*', element }], {
    initialEntries: [`/r/r/discounts/${id ?? 'new'}`],
  });
  render(
    <App>
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </App>,
  );
  return screen.findByRole('dialog');
}
const saveButton = () => screen.getByText('action.save').closest('button')!;
const save = () => fireEvent.click(saveButton());

describe('a new promotion', () => {
  it('needs a name, and is sent whole', async () => {
    await show();
    save();
    await screen.findByText('form.required');
    expect(calls.create).not.toHaveBeenCalled();
    fireEvent.change(screen.getByLabelText(/field.name/), { target: { value: 'Ebéd' } });
    save();
    await waitFor(() => expect(calls.create).toHaveBeenCalledTimes(1));
    const [partner, restaurant, body] = calls.create.mock.calls[0] as [string, string, Partial<Discount>];
    expect([partner, restaurant]).toEqual(['p', 'r']);
    expect(body).toMatchObject({
      name: 'Ebéd',
      discount_type: 'discount',
      code: null,
      restaurant_ids: ['r'],
    });
  });

  it('an upsell asks for nothing that it cannot have', async () => {
    await show();
    expect(screen.getByText('discounts.section_time')).toBeTruthy();
    fireEvent.click(screen.getByText('discounts.discount_type.upsell'));
    expect(screen.queryByText('discounts.section_time')).toBeNull();
    expect(screen.queryByText('discounts.section_customers')).toBeNull();
    expect(screen.queryByLabelText(/field.code/)).toBeNull();
    expect(screen.queryByText('discounts.stackable_help')).toBeNull();
    fireEvent.click(screen.getByText('discounts.discount_type.coupon'));
    expect(screen.getByLabelText(/field.code/)).toBeTruthy();
  });

  it.each(['discounts.add_range', 'discounts.add_gift', 'ranges.add'])(
    'has the focus in the row that %s has made',
    async (button) => {
      await show();
      // The drawer gives the focus to its first field once it stands.
      await waitFor(() => expect(document.activeElement?.tagName).toBe('INPUT'));
      const rows = () => screen.queryAllByRole('group', { name: /range_row|gift_row|ranges\.row/ });
      const before = rows();
      const add = screen.getByText(button).closest('button')!;
      add.focus();
      fireEvent.click(add);
      const made = rows().find((row) => !before.includes(row))!;
      await waitFor(() => expect(document.activeElement).toBe(made.querySelector('input')));
    },
  );

  it('what the service refuses stands at its field in words of its own', async () => {
    calls.create.mockRejectedValueOnce(
      new ApiError({
        status: 422,
        code: 'VALIDATION_FAILED',
        keys: ['ranges.0.price_from'],
        faults: [{ key: 'ranges.0.price_from', fault: 'not_unique' }],
      }),
    );
    await show();
    fireEvent.change(screen.getByLabelText(/field.name/), { target: { value: 'Ebéd' } });
    save();
    expect(await screen.findByText('discounts.same_from')).toBeTruthy();
  });
});

describe('a saved one', () => {
  it('keeps its type', async () => {
    await show('d1');
    expect(screen.getAllByText(/discounts.discount_type/)).toHaveLength(1);
    expect(screen.getByText('discounts.type_fixed')).toBeTruthy();
  });

  it('of other restaurants can only be looked at', async () => {
    calls.get.mockResolvedValue({ ...SAVED, editable: false });
    await show('d1');
    expect(screen.getByText('discounts.not_editable')).toBeTruthy();
    expect(screen.queryByText('action.save')).toBeNull();
    expect(screen.queryByText('discounts.archive')).toBeNull();
  });
});

const pinField = () => screen.findByLabelText(/^pin\.label\W*$/);
async function sendPin(pin: string) {
  fireEvent.change(await pinField(), { target: { value: pin } });
  const open = screen.getByText(/^pin\.(open|again)$/).closest('button')!;
  await waitFor(() => expect(open).toHaveProperty('disabled', false));
  await act(async () => void fireEvent.click(open));
}
const askForPin = () => fireEvent.click(screen.getByText('discounts.pin_open'));

describe('customers', () => {
  it('stay hidden until the PIN is right', async () => {
    calls.pin.mockResolvedValueOnce({ is_valid: false }).mockResolvedValue({ is_valid: true });
    await show('d1');
    expect(screen.getByText('discounts.require_pin')).toBeTruthy();
    expect(calls.usages).not.toHaveBeenCalled();
    askForPin();
    await sendPin('1111');
    await waitFor(async () => expect(await pinField()).toHaveProperty('value', ''));
    expect(calls.usages).not.toHaveBeenCalled();
    await sendPin('2580');
    expect(await screen.findByText('Kovács Anna')).toBeTruthy();
    expect(calls.usages.mock.calls[0]!.at(-1)).toEqual({ 'X-Pin': '2580' });
  });

  it('say that there is no PIN yet, instead of asking for it again', async () => {
    calls.pin.mockRejectedValue(new ApiError({ status: 403, code: 'PIN_REQUIRED' }));
    await show('d1');
    askForPin();
    await sendPin('2580');
    expect(await screen.findByText('pin.not_set')).toBeTruthy();
    expect(calls.usages).not.toHaveBeenCalled();
  });

  it('are named and taken off after the promotion is saved, again after a failure', async () => {
    calls.pin.mockResolvedValue({ is_valid: true });
    calls.name.mockRejectedValueOnce(new ApiError({ status: 503, code: 'UNAVAILABLE_SERVER' }));
    await show('d1');
    askForPin();
    await sendPin('2580');
    fireEvent.click(await screen.findByLabelText('discounts.drop_customer'));
    fireEvent.mouseDown(await screen.findByLabelText('discounts.add_customer'));
    fireEvent.click(await screen.findByText('Nagy Béla'));
    save();
    await waitFor(() => expect(calls.name).toHaveBeenCalledTimes(1));
    // Nothing else differs: the promotion itself is not sent.
    expect(calls.update).not.toHaveBeenCalled();
    await waitFor(() => expect(saveButton()).toHaveProperty('disabled', false));
    save();
    await waitFor(() => expect(calls.forget).toHaveBeenCalledTimes(1));
    expect(calls.name.mock.calls.at(-1)).toEqual([
      'p',
      'r',
      'd1',
      { shadow_customer_id: 'c2' },
      {},
      { 'X-Pin': '2580' },
    ]);
    expect(calls.forget.mock.calls[0]).toEqual(['p', 'r', 'd1', 'u1', {}, { 'X-Pin': '2580' }]);
  });
});
