import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Restaurant } from '../../generated/model';
import { ApiError } from '../../lib/http';
import { RestaurantContext, setTarget } from '../../lib/target';
import base from '../../lib/texts/en';
import taking from '../order-taking/en';
import { MENU } from '../order-taking/sample.test-data';
import { FRESH, type PhoneDraft } from './draft';
import en from './en';
import PhoneOrders from './index';
import { storedOrder } from './stored';

const calls = vi.hoisted(() => ({
  menu: vi.fn(),
  methods: vi.fn(),
  price: vi.fn(),
  create: vi.fn(),
  config: vi.fn(),
  check: vi.fn(),
  names: vi.fn(),
  byPhone: vi.fn(),
  order: vi.fn(),
  hours: vi.fn(),
}));
vi.mock('../../generated/client/public/public', async (original) => ({
  ...(await original<object>()),
  menuGet: calls.menu,
  publicPaymentMethodsList: calls.methods,
  publicOpeningHoursGet: calls.hours,
  ordersQuote: calls.price,
  ordersCreate: calls.create,
}));
vi.mock('../../generated/client/restaurants/restaurants', async (original) => ({
  ...(await original<object>()),
  posConfigsGet: calls.config,
  deliveryRegionsCheck: calls.check,
  deliveryRegionsNames: calls.names,
}));
vi.mock('../../generated/client/people/people', async (original) => ({
  ...(await original<object>()),
  shadowCustomersByPhone: calls.byPhone,
}));
vi.mock('../../generated/client/orders/orders', async (original) => ({
  ...(await original<object>()),
  ordersGet: calls.order,
}));
vi.setConfig({ testTimeout: 30_000 });

const RESTAURANT = { id: 'r', partner_id: 'p', timezone: 'UTC', currency: 'huf' } as Restaurant;
const HOME = { city: 'Budapest', street: 'Szív utca', premise_number: '14' };
const CUSTOMER = {
  id: 'c',
  name: 'Minta Réka',
  last_name: 'Minta',
  first_name: 'Réka',
  phone_1: '+36301234567',
  order_number: 2,
  last_order_at: '2026-03-01T11:30:00Z',
  addresses: [{ id: 'a', ...HOME }],
  orders: [
    {
      id: 'o1',
      restaurant_id: 'r',
      created_at: '2026-03-01T11:30:00Z',
      items: [
        { name: 'Cola Zero', quantity: 2 },
        { name: 'Margherita', quantity: 1 },
      ],
    },
  ],
};
const PRICE = { total_price: 1000, reasons: [], items: [], lines: [], promotions: [], upsells: [] };
const CART: PhoneDraft['cart'] = {
  lines: [{ key: 1, subproduct_id: 'c', name: 'Cola Zero', quantity: 1, options: {}, message: '' }],
  next: 2,
  last: 1,
};

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: { ...base, ...taking, ...en } } },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  });
  setTarget(RESTAURANT);
  Element.prototype.scrollIntoView = () => undefined;
});
afterAll(() => setTarget(undefined));
beforeEach(() => {
  sessionStorage.clear();
  for (const call of Object.values(calls)) call.mockReset();
  calls.menu.mockResolvedValue(MENU);
  calls.methods.mockResolvedValue([{ id: 'cash', name: 'Cash', name_en: 'Cash', type_phone: true }]);
  calls.price.mockResolvedValue(PRICE);
  calls.config.mockResolvedValue({});
  calls.check.mockResolvedValue({ winner: null, reason: null, matches: [] });
  calls.names.mockResolvedValue([{ id: 'hill', name: 'Hill', active: true }]);
  calls.hours.mockResolvedValue({ opening_hours: [], holidays: [] });
  calls.byPhone.mockResolvedValue(CUSTOMER);
  calls.create.mockResolvedValue({ counter: 'B7', total_price: 1000 });
});

/** The screen with what was said so far. */
async function show(part: Partial<PhoneDraft> = {}) {
  storedOrder('', 'r').write({ ...FRESH, ...part }, undefined);
  const router = createMemoryRouter([{ path: '*', element: <PhoneOrders /> }]);
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RestaurantContext.Provider value={RESTAURANT}>
        <App>
          <RouterProvider router={router} />
        </App>
      </RestaurantContext.Provider>
    </QueryClientProvider>,
  );
  await screen.findByRole('combobox', { name: taking['taking.search'] });
}
const field = (path: string) => document.getElementById(`field-${path}`) as HTMLInputElement;
const say = (path: string, value: string) => fireEvent.change(field(path), { target: { value } });
const press = (target: Element, key: string, more: object = {}) =>
  fireEvent.keyDown(target, { key, ...more });
const sendFrom = (target: Element) =>
  act(async () => void press(target, 'Enter', { ctrlKey: true, keyCode: 13 }));
const faults = () => [...document.querySelectorAll('.edit-fault')].map((one) => one.textContent);

describe('sending', () => {
  it('waits for what fills in by itself, and refuses nothing that is there by then', async () => {
    let answer: (order: object) => void = () => undefined;
    calls.order.mockReturnValue(new Promise((resolve) => void (answer = resolve)));
    calls.byPhone.mockResolvedValue({ ...CUSTOMER, addresses: [] });
    await show();
    say('phone', '06 30 123 4567');
    press(field('phone'), 'Enter');
    fireEvent.click(await screen.findByRole('button', { name: /^The same again/ }));
    await sendFrom(document.body);
    await screen.findByText(en['phone_orders.waiting_fields']);
    expect(faults()).toEqual([]);
    const item = { subproduct_id: 'c', name: 'Cola Zero', quantity: 2, item_options: [] };
    await act(async () => answer({ items: [item], pickup: false, delivery_data: HOME }));
    await waitFor(() => expect(calls.create).toHaveBeenCalledTimes(1));
    expect(calls.create.mock.lastCall![2]).toMatchObject({ delivery_data: HOME, last_name: 'Minta' });
    expect(faults()).toEqual([]);
  });

  it('tells all that is missing at once, and what stands against it; each goes when it is mended', async () => {
    calls.price.mockResolvedValue({ ...PRICE, reasons: [{ reason: 'closed' }] });
    calls.byPhone.mockRejectedValue(new Error('nobody'));
    await show({ cart: CART, phone: '+36 30 123 4567', pickup: false });
    // Passing through marks nothing.
    for (const path of ['address.city', 'address.street']) {
      fireEvent.focus(field(path));
      fireEvent.blur(field(path));
    }
    await waitFor(() =>
      expect(document.querySelector('.taking-total')).toHaveProperty('dataset.stale', 'false'),
    );
    expect(faults()).toEqual([]);
    await sendFrom(field('address.city'));
    await screen.findByText(/^Missing or wrong/);
    expect(faults().filter((text) => text === base['form.required'])).toHaveLength(4);
    expect(screen.getByText(en['phone_orders.refused'])).toBeTruthy();
    say('last_name', 'Minta');
    await waitFor(() => expect(field('last_name').getAttribute('aria-invalid')).toBeNull());
    fireEvent.click(screen.getByRole('radio', { name: 'Pickup' }));
    await waitFor(() => expect(faults()).toEqual([]));
  });

  it('is asked for from within a select, unless its list has a choice marked', async () => {
    calls.check.mockResolvedValue({ winner: null, reason: 'no_delivery_there', matches: [] });
    const address = { ...FRESH.address, ...HOME };
    await show({ cart: CART, phone: '+36 30 123 4567', last_name: 'M', address, by_hand: true });
    const region = await waitFor(() => {
      expect(field('delivery_region_id')).toBeTruthy();
      return field('delivery_region_id');
    });
    await screen.findByRole('group', { name: en['phone_orders.no_region_what'] });
    await waitFor(() => expect(calls.names).toHaveBeenCalled());
    fireEvent.mouseDown(region);
    await screen.findByTitle('Hill');
    await waitFor(() => expect(region.getAttribute('aria-activedescendant')).toBeTruthy());
    await sendFrom(region);
    expect(calls.create).not.toHaveBeenCalled();
    await waitFor(() => expect(region.getAttribute('aria-expanded')).toBe('false'));
    await sendFrom(region);
    await waitFor(() => expect(calls.create).toHaveBeenCalledTimes(1));
    expect(calls.create.mock.lastCall![2]).toMatchObject({ delivery_region_id: 'hill' });
  });

  it('is no trap on the way: Tab leaves an open list, with the choice that was typed', async () => {
    calls.check.mockResolvedValue({ winner: null, reason: 'no_delivery_there', matches: [] });
    const address = { ...FRESH.address, ...HOME };
    await show({ cart: CART, phone: '+36 30 123 4567', last_name: 'M', address, by_hand: true });
    await waitFor(() => expect(calls.names).toHaveBeenCalled());
    const region = field('delivery_region_id');
    fireEvent.mouseDown(region);
    await screen.findByTitle('Hill');
    // Not prevented: the browser goes on.
    expect(press(region, 'Tab', { keyCode: 9 })).toBe(true);
    expect(calls.price.mock.lastCall?.[2]).not.toHaveProperty('delivery_region_id');
    fireEvent.change(region, { target: { value: 'hi' } });
    await waitFor(() => expect(region.getAttribute('aria-activedescendant')).toBeTruthy());
    expect(press(region, 'Tab', { keyCode: 9 })).toBe(true);
    await waitFor(() => expect(calls.price.mock.lastCall![2]).toMatchObject({ delivery_region_id: 'hill' }));
  });

  it('empties the menu search and what was said of the cart', async () => {
    await show({ phone: '+36 30 123 4567', last_name: 'M', pickup: true });
    const search = () => screen.getByRole('combobox', { name: taking['taking.search'] }) as HTMLInputElement;
    fireEvent.change(search(), { target: { value: 'cola' } });
    press(search(), 'Enter');
    const spoken = 'Added to the cart: 1 x Cola Zero';
    await screen.findByText(spoken);
    fireEvent.change(search(), { target: { value: 'marg' } });
    await sendFrom(search());
    await screen.findByText(/^Taken: Order B7/);
    expect(search().value).toBe('');
    expect(screen.queryByText(spoken)).toBeNull();
  });
});

describe('a guest who is known', () => {
  it('has the only address chosen, and the focus goes on to the menu', async () => {
    await show();
    say('phone', '06 30 123 4567');
    // Whoever tabs on stands in a field that goes when the guest is found.
    field('last_name').focus();
    fireEvent.blur(field('phone'));
    await screen.findByRole('button', { name: en['phone_orders.other_name'] });
    expect(field('address.street').value).toBe('Szív utca');
    expect(document.activeElement?.id).toBe('field-cart');
    fireEvent.click(screen.getByRole('button', { name: en['phone_orders.other_name'] }));
    await waitFor(() => expect(document.activeElement?.id).toBe('field-first_name'));
  });

  it('is nobody where the number is no whole one, which the order keeps', async () => {
    calls.byPhone.mockRejectedValue(
      new ApiError({ status: 422, code: 'VALIDATION_FAILED' } as ApiError['problem']),
    );
    await show({ phone: '', last_name: 'M', pickup: true, cart: CART });
    say('phone', '06 30 123 456');
    fireEvent.blur(field('phone'));
    await screen.findByText(en['phone_orders.no_number']);
    await sendFrom(field('phone'));
    await waitFor(() => expect(calls.create).toHaveBeenCalledTimes(1));
    expect(calls.create.mock.lastCall![2]).toMatchObject({ phone_1: '06 30 123 456' });
    expect(calls.create.mock.lastCall![2]).not.toHaveProperty('customer_id');
  });

  it('is not looked for in passing where the number stands there since before', async () => {
    await show({ phone: '+36 30 123 4567', last_name: 'M', pickup: true, cart: CART });
    await sendFrom(field('phone'));
    await waitFor(() => expect(calls.create).toHaveBeenCalledTimes(1));
    expect(calls.byPhone).not.toHaveBeenCalled();
    expect(calls.create.mock.lastCall![2]).not.toHaveProperty('customer_id');
  });

  it('has the choice of several addresses, and none is taken', async () => {
    const addresses = [...CUSTOMER.addresses, { id: 'b', ...HOME, street: 'Fő utca' }];
    calls.byPhone.mockResolvedValue({ ...CUSTOMER, addresses });
    await show();
    say('phone', '06 30 123 4567');
    field('last_name').focus();
    fireEvent.blur(field('phone'));
    const known = await screen.findByRole('group', { name: en['phone_orders.known_addresses'] });
    expect(field('address.street').value).toBe('');
    await waitFor(() => expect(within(known).getAllByRole('button')[0]).toBe(document.activeElement));
  });

  it('has earlier orders that are told apart by their names', async () => {
    await show();
    say('phone', '06 30 123 4567');
    press(field('phone'), 'Enter');
    await screen.findByRole('button', { name: 'The same again: 2026/03/01 11:30, 2 × Cola Zero' });
  });
});

describe('a number that looks wrong', () => {
  it.each([
    ['abc', 'letters'],
    ['12', 'short'],
    ['06 30 123 456', 'mobile'],
  ] as const)('%s is doubted once it was said, and can be sent', async (typed, doubt) => {
    calls.byPhone.mockRejectedValue(new Error('nobody'));
    await show({ last_name: 'M', pickup: true, cart: CART });
    say('phone', typed);
    const text = en[`phone_orders.doubt_${doubt}`];
    expect(screen.queryByText(text)).toBeNull();
    fireEvent.blur(field('phone'));
    const told = await screen.findByText(text);
    expect(field('phone').getAttribute('aria-describedby')).toBe(told.closest('p')!.id);
    await sendFrom(field('phone'));
    await waitFor(() => expect(calls.create).toHaveBeenCalledTimes(1));
    expect(calls.create.mock.lastCall![2]).toHaveProperty('phone_1', typed);
  });
});

describe('where nobody delivers', () => {
  const said = {
    address: { ...FRESH.address, ...HOME },
    cart: CART,
    phone: '+36 30 123 4567',
    last_name: 'M',
  };
  beforeEach(() => calls.check.mockResolvedValue({ winner: null, reason: 'no_delivery_there', matches: [] }));

  it('says that the postcode is missing, and leads to it', async () => {
    await show(said);
    await screen.findByText(en['phone_orders.no_postcode']);
    fireEvent.click(screen.getByRole('button', { name: en['phone_orders.to_postcode'] }));
    expect(document.activeElement?.id).toBe('field-address.postcode');
    say('address.postcode', '1061');
    await waitFor(() => expect(screen.queryByText(en['phone_orders.no_postcode'])).toBeNull());
  });

  it('says that no fee is charged without a region, which can be chosen beside it', async () => {
    await show({ ...said, override: true, override_reason: 'regular' });
    await screen.findByText(en['phone_orders.no_region_no_fee']);
    fireEvent.mouseDown(field('delivery_region_id'));
    fireEvent.click(await screen.findByTitle('Hill'));
    await waitFor(() => expect(screen.queryByText(en['phone_orders.no_region_no_fee'])).toBeNull());
    await waitFor(() => expect(calls.price.mock.lastCall![2]).toMatchObject({ delivery_region_id: 'hill' }));
  });

  it('goes on with what is next when it is fetched', async () => {
    await show({ ...said, cart: FRESH.cart });
    const button = await screen.findByRole('button', { name: en['phone_orders.pickup_instead'] });
    button.focus();
    fireEvent.click(button);
    await waitFor(() => expect(document.activeElement?.id).toBe('field-cart'));
  });
});

describe('the total', () => {
  const PRICED = { ...PRICE, products_price: 5000, currency: 'huf' };
  const SAID = { phone: '+36 30 123 4567', last_name: 'M', pickup: true, cart: CART };

  it('tells the usual tip, which goes with one press', async () => {
    calls.menu.mockResolvedValue({ ...MENU, restaurant: { ...MENU.restaurant, default_tip: 10 } });
    calls.price.mockResolvedValue(PRICED);
    await show(SAID);
    const bar = screen.getByRole('region', { name: en['phone_orders.send_bar'] });
    await within(bar).findByText('500 Ft');
    fireEvent.click(within(bar).getByRole('button', { name: en['phone_orders.tip_remove'] }));
    expect(within(bar).queryByText('500 Ft')).toBeNull();
    expect(document.activeElement?.textContent).toBe(en['phone_orders.send']);
    await waitFor(() => expect(calls.price.mock.lastCall![2]).not.toHaveProperty('tip'));
  });

  it('comes with a way out of a coupon that nobody has', async () => {
    calls.price.mockResolvedValue({ ...PRICED, reasons: [{ reason: 'coupon_not_applicable' }] });
    await show({ ...SAID, coupon_code: 'NINCS' });
    fireEvent.click(await screen.findByRole('button', { name: 'Without coupon NINCS' }));
    expect(field('coupon_code').value).toBe('');
    expect(document.activeElement?.id).toBe('field-coupon_code');
  });
});

describe('where the guest stands above the menu', () => {
  beforeEach(() => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query.includes('max-width: 1199'),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
      addListener: () => undefined,
      removeListener: () => undefined,
    }));
  });
  const folded = () => document.querySelector('.phone-fold');

  it('a known guest is one line with the last order, and opens again', async () => {
    await show();
    say('phone', '06 30 123 4567');
    press(field('phone'), 'Enter');
    await waitFor(() => expect(folded()?.textContent).toContain('Réka Minta'));
    expect(folded()!.textContent).toContain('Szív utca 14');
    expect(within(folded() as HTMLElement).getAllByRole('button')).toHaveLength(2);
    fireEvent.click(screen.getByRole('button', { name: en['phone_orders.unfold'] }));
    await waitFor(() => expect(folded()).toBeNull());
    await waitFor(() => expect(document.activeElement?.contains(field('phone'))).toBe(true));
    // Whoever goes on to the menu folds it again.
    screen.getByRole('combobox', { name: taking['taking.search'] }).focus();
    await waitFor(() => expect(folded()).toBeTruthy());
  });

  it('stays open while something of the guest is typed, and where something is missing', async () => {
    await show({ phone: '+36 30 123 4567', last_name: 'M', cart: CART });
    for (const [path, value] of Object.entries(HOME)) {
      field(`address.${path}`).focus();
      say(`address.${path}`, value);
    }
    await waitFor(() => expect(calls.check).toHaveBeenCalled());
    expect(folded()).toBeNull();
    screen.getByRole('combobox', { name: taking['taking.search'] }).focus();
    await waitFor(() => expect(folded()).toBeTruthy());
  });
});

it('the keys of the screen lead to its parts', async () => {
  await show({ phone: '+36 30 123 4567' });
  field('address.city').focus();
  press(document.body, 'p', { altKey: true });
  await waitFor(() => expect(document.activeElement?.id).toBe('field-phone'));
  expect([field('phone').selectionStart, field('phone').selectionEnd]).toEqual([0, 15]);
  press(document.body, 't', { altKey: true });
  expect(document.activeElement?.closest('#field-later')).toBeTruthy();
  press(document.body, 'b', { altKey: true });
  expect(document.activeElement?.closest('#field-payment_method_id')).toBeTruthy();
  press(document.body, 'c', { altKey: true });
  expect(document.activeElement?.id).toBe('field-cart');
});
