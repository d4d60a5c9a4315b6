import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PosConfig, PublicPaymentMethod, Restaurant } from '../../generated/model';
import { RestaurantContext, setTarget } from '../../lib/target';
import base from '../../lib/texts/en';
import { NO_BOOK } from '../order-taking/menu';
import { DeliveryPart } from './DeliveryPart';
import { FRESH, type PhoneDraft } from './draft';
import en from './en';
import { storedOrder } from './stored';
import { TermsPart } from './TermsPart';
import { usePhoneOrder } from './usePhoneOrder';

const calls = vi.hoisted(() => ({
  config: vi.fn(),
  check: vi.fn(),
  names: vi.fn(),
  price: vi.fn(),
  create: vi.fn(),
}));
vi.mock('../../generated/client/restaurants/restaurants', async (original) => ({
  ...(await original<object>()),
  posConfigsGet: calls.config,
  deliveryRegionsCheck: calls.check,
  deliveryRegionsNames: calls.names,
}));
vi.mock('../../generated/client/public/public', async (original) => ({
  ...(await original<object>()),
  ordersQuote: calls.price,
  ordersCreate: calls.create,
}));
vi.setConfig({ testTimeout: 30_000 });

const RESTAURANT = { id: 'r', partner_id: 'p', timezone: 'UTC' } as Restaurant;
const method = (payment_key: string) =>
  ({ id: `id-${payment_key}`, payment_key, name: payment_key, name_en: payment_key }) as PublicPaymentMethod;
const METHODS = [method('cash'), method('card')];
const CONFIG = { default_payment_method: 'card', default_delivery_region_id: 'hill' } as PosConfig;
const UNKNOWN = { winner: null, reason: 'place_unknown', matches: [] };
const PLACED: Partial<PhoneDraft> = {
  address: { ...FRESH.address, city: 'Budapest', street: 'Szív utca', premise_number: '14' },
  cart: {
    ...FRESH.cart,
    lines: [{ key: 1, subproduct_id: 's', name: 'S', quantity: 1, options: {}, message: '' }],
  },
};

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: { ...base, ...en } } },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  });
  setTarget(RESTAURANT);
});
afterAll(() => setTarget(undefined));
beforeEach(() => {
  sessionStorage.clear();
  for (const call of Object.values(calls)) call.mockReset();
  calls.config.mockResolvedValue(CONFIG);
  calls.check.mockResolvedValue(UNKNOWN);
  calls.names.mockResolvedValue([
    { id: 'hill', name: 'Hill', active: true },
    { id: 'town', name: 'Town', active: true },
    { id: 'far', name: 'Far', active: false },
  ]);
  calls.price.mockResolvedValue({ total_price: 1000, reasons: [], items: [], lines: [] });
});

function Parts() {
  const order = usePhoneOrder({
    restaurant: undefined,
    methods: METHODS,
    onNext: () => undefined,
    onReasons: () => undefined,
  });
  const payment = { isSuccess: true, error: null, refetch: vi.fn() };
  return (
    <>
      <DeliveryPart order={order} customer={undefined} book={NO_BOOK} />
      <button onClick={() => void order.send()}>Send</button>
      <p>{[order.waiting && 'waiting', order.refused && 'refused', order.taken?.counter].join(' ')}</p>
      <TermsPart order={order} book={NO_BOOK} restaurant={undefined} payment={payment} />
    </>
  );
}

/** The screen with what was said so far. */
function show(part: Partial<PhoneDraft> = {}) {
  storedOrder('', 'r').write({ ...FRESH, phone: '1', ...part }, undefined);
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RestaurantContext.Provider value={RESTAURANT}>
        <App>
          <Parts />
        </App>
      </RestaurantContext.Provider>
    </QueryClientProvider>,
  );
}

const checked = (name: string) => (screen.getByRole('radio', { name }) as HTMLInputElement).checked;
const lastCart = () => calls.price.mock.calls.at(-1)?.[2] as Record<string, unknown> | undefined;

describe('the payment method', () => {
  it.each([
    ['card', 'card'],
    // Not taken by phone, or none: the first.
    ['voucher', 'cash'],
    [null, 'cash'],
  ])('%s preselects %s', async (default_payment_method, chosen) => {
    calls.config.mockResolvedValue({ ...CONFIG, default_payment_method });
    show();
    await waitFor(() => expect(checked(chosen)).toBe(true));
  });

  it('is the first where the settings cannot be read, and what staff chose in any case', async () => {
    calls.config.mockRejectedValue(new Error('offline'));
    show();
    await waitFor(() => expect(checked('cash')).toBe(true));
    fireEvent.click(screen.getByRole('radio', { name: 'card' }));
    await waitFor(() => expect(checked('card')).toBe(true));
  });
});

describe('the region', () => {
  it('says that its place was taken from the address, which is asked for with the number', async () => {
    const winner = { name: 'Hill', price: 500, min_order_price: 0, by: 'geocoded' };
    calls.check.mockResolvedValue({ winner, reason: null, geocoded: true, matches: [] });
    show(PLACED);
    await screen.findByText(en['phone_orders.geocoded'], { exact: false });
    expect(calls.check.mock.calls.at(-1)?.[2]).toMatchObject({ city: 'Budapest', street: 'Szív utca 14' });
  });

  it('is the default where the place is unknown, marked so, until staff choose another', async () => {
    show(PLACED);
    await screen.findByText(en['phone_orders.region_default']);
    expect(screen.getByText(en['phone_orders.region_place_unknown'])).toBeTruthy();
    await waitFor(() =>
      expect(lastCart()).toMatchObject({ delivery_region_id: 'hill', payment_method_id: 'id-card' }),
    );
    fireEvent.mouseDown(screen.getByRole('combobox'));
    expect(screen.queryByTitle('Far')).toBeNull();
    fireEvent.click(await screen.findByTitle('Town'));
    await waitFor(() => expect(lastCart()).toMatchObject({ delivery_region_id: 'town' }));
    expect(screen.queryByText(en['phone_orders.region_default'])).toBeNull();
  });

  it('is none once staff switch it off', async () => {
    show(PLACED);
    await screen.findByText(en['phone_orders.region_default']);
    fireEvent.click(screen.getByRole('button', { name: en['phone_orders.by_hand'] }));
    await waitFor(() => expect(lastCart()).not.toHaveProperty('delivery_region_id'));
    expect(screen.queryByText(en['phone_orders.region_default'])).toBeNull();
  });

  it.each([
    ['nobody delivers there', { ...UNKNOWN, reason: 'no_delivery_there' }, CONFIG],
    ['it is switched off', UNKNOWN, { ...CONFIG, default_delivery_region_id: 'far' }],
    ['there is none', UNKNOWN, { ...CONFIG, default_delivery_region_id: null }],
  ])('is not chosen where %s', async (_, check, config) => {
    calls.check.mockResolvedValue(check);
    calls.config.mockResolvedValue(config);
    show(PLACED);
    await screen.findByRole('group', { name: en['phone_orders.no_region_what'] });
    await waitFor(() => expect(lastCart()).toMatchObject({ payment_method_id: 'id-card' }));
    expect(lastCart()).not.toHaveProperty('delivery_region_id');
    expect(screen.queryByText(en['phone_orders.region_default'])).toBeNull();
  });
});

describe('sending', () => {
  const SAID = { ...PLACED, phone: '+36 1 555 0100', last_name: 'P', pickup: true };

  it('waits for the price, and sends once', async () => {
    let answer: (price: object) => void = () => undefined;
    calls.price.mockReturnValue(new Promise((resolve) => void (answer = resolve)));
    calls.create.mockResolvedValue({ counter: 'B7', total_price: 1000 });
    show(SAID);
    for (let times = 0; times < 2; times += 1) fireEvent.click(screen.getByRole('button', { name: 'Send' }));
    await screen.findByText('waiting', { exact: false });
    expect(calls.create).not.toHaveBeenCalled();
    await waitFor(() => expect(lastCart()).toBeTruthy());
    answer({ total_price: 1000, reasons: [], items: [], lines: [] });
    await screen.findByText('B7', { exact: false });
    expect(calls.create).toHaveBeenCalledTimes(1);
  });

  it('is refused where a reason stands against it', async () => {
    calls.price.mockResolvedValue({ total_price: 1, reasons: [{ reason: 'closed' }], items: [], lines: [] });
    show(SAID);
    fireEvent.click(screen.getByRole('button', { name: 'Send' }));
    await screen.findByText('refused', { exact: false });
    expect(calls.create).not.toHaveBeenCalled();
  });
});
