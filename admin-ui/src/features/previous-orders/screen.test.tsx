import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Me, Order, OrdersListParams, Restaurant } from '../../generated/model';
import errors from '../../generated/errors.en.gen';
import { registerFeatures } from '../../lib/features';
import { UnsavedProvider } from '../../lib/form/unsaved';
import { ApiError, type RequestOptions } from '../../lib/http';
import { session } from '../../lib/session';
import { RestaurantContext, setTarget } from '../../lib/target';
import shared from '../../lib/texts/en';
import account from '../account/feature';
import order from '../order/en';
import exports from '../order-export/en';
import orderFeature from '../order/feature';
import { sampleOrder } from '../order/sample.test-data';
import PreviousOrders from '.';
import en from './en';
import feature from './feature';

const calls = vi.hoisted(() => ({
  list: vi.fn(),
  totals: vi.fn(),
  methods: vi.fn(),
  saved: vi.fn(),
  save: vi.fn(),
  forget: vi.fn(),
  export: vi.fn(),
}));
vi.mock('../../generated/client/orders/orders', async (original) => ({
  ...(await original<object>()),
  ordersList: calls.list,
  ordersTotals: calls.totals,
  orderFiltersList: calls.saved,
  orderFiltersCreate: calls.save,
  orderFiltersDelete: calls.forget,
  orderExportsCreate: calls.export,
  exportRequestsList: async () => [],
}));
vi.mock('../../generated/client/restaurants/restaurants', async (original) => ({
  ...(await original<object>()),
  paymentMethodsList: calls.methods,
}));
vi.setConfig({ testTimeout: 60_000 });

const RESTAURANT = {
  id: 'r',
  partner_id: 'p',
  name: 'Bisztró',
  currency: 'huf',
  timezone: 'Europe/Budapest',
  order_reset_time: '02:00',
} as Restaurant;
const KEPT = 'pult.user.me.previous-orders.r';
const NOTHING = { 'payment_methods[]': [], 'platforms[]': [] };
const FIRST = { view: 'row', page: 0, limit: 40, count: true };

/** As many orders as the service has; answers pages of them. */
let all: Order[] = [];
const answer = async (_p: string, _r: string, query: OrdersListParams, options: RequestOptions) => {
  const { page = 0, limit = 40 } = query;
  options.onHeaders?.(new Headers({ 'X-Total-Count': String(all.length) }));
  return all.slice(page * limit, (page + 1) * limit);
};
const many = (number: number): Order[] =>
  Array.from({ length: number }, (_, index) =>
    sampleOrder({ id: `o${index}`, counter: String(number - index), created_at: '2026-05-31T23:30:00Z' }),
  );

beforeAll(async () => {
  registerFeatures({
    './account/feature.ts': { default: account },
    './order/feature.ts': { default: orderFeature },
    './previous-orders/feature.ts': { default: feature },
  });
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: { ...shared, ...errors, ...order, ...exports, ...en } } },
    interpolation: { escapeValue: false },
    keySeparator: false,
    nsSeparator: false,
  });
  const own = {
    partner_id: 'p',
    target_type: 'Partner',
    permissions: ['all_order', 'order_storno', 'order_export'],
  };
  session.set({
    id: 'me',
    email: 'own@example.invalid',
    super_admin: false,
    targets: [own],
  } as unknown as Me);
  setTarget(RESTAURANT);
});
afterAll(() => {
  session.set(null);
  setTarget(undefined);
  registerFeatures({});
});
beforeEach(() => {
  localStorage.clear();
  all = many(1);
  calls.list.mockReset().mockImplementation(answer);
  calls.totals.mockReset().mockResolvedValue({
    orders: 3,
    partial_stornos: 1,
    total_price: 12_500,
    archived_orders: 1,
    archived_price: 2500,
  });
  calls.methods.mockReset().mockResolvedValue([]);
  calls.saved
    .mockReset()
    .mockResolvedValue([
      { id: 's1', name: 'Cancelled in May', version: 3, filter: { storno: 'only', from: '2026-05-01' } },
    ]);
  for (const call of [calls.save, calls.forget, calls.export]) call.mockReset().mockResolvedValue({});
});

async function open(search = '') {
  const router = createMemoryRouter(
    [
      {
        path: '/r/:restaurant/:slug/*',
        element: (
          <UnsavedProvider>
            <PreviousOrders />
          </UnsavedProvider>
        ),
      },
    ],
    { initialEntries: [`/r/r/previous-orders${search}`] },
  );
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <RestaurantContext value={RESTAURANT}>
          <RouterProvider router={router} />
        </RestaurantContext>
      </App>
    </QueryClientProvider>,
  );
  await waitFor(() => expect(calls.list).toHaveBeenCalled());
  return { search: () => router.state.location.search };
}
const lastQuery = () => calls.list.mock.lastCall![2] as OrdersListParams;
const field = (name: keyof typeof en) => screen.getByLabelText(en[name], { selector: 'input' });
const tags = () => {
  const list = screen.queryByRole('list', { name: shared['list.filtered_by']! });
  return list
    ? within(list)
        .getAllByRole('button')
        .map((tag) => tag.textContent)
    : [];
};
const press = async (name: string) => {
  await act(async () => fireEvent.click(screen.getByRole('button', { name })));
};
const submit = async () => {
  await act(async () => fireEvent.submit(field('previous.name')));
};

it('asks for what is typed, keeps it here, and puts what is not personal into the address', async () => {
  const { search } = await open();
  expect(lastQuery()).toEqual({ ...NOTHING, ...FIRST });
  fireEvent.change(field('previous.name'), { target: { value: ' Kov ' } });
  fireEvent.change(field('previous.counter'), { target: { value: 'A7' } });
  await submit();
  await waitFor(() => expect(tags()).toEqual(['Order number: A7', 'Name: Kov']));
  expect(lastQuery()).toEqual({ ...NOTHING, ...FIRST, name: 'Kov', counter: 'A7' });
  expect(search()).toBe('?counter=A7');
  expect(JSON.parse(localStorage.getItem(KEPT)!)).toMatchObject({ name: 'Kov', counter: 'A7' });
  await waitFor(() => expect(calls.totals.mock.lastCall![2]).toEqual({ name: 'Kov', counter: 'A7' }));
  expect(await screen.findByText('2,500 Ft (1)')).toBeTruthy();

  await press('Remove the filter: Order number: A7');
  await waitFor(() => expect(tags()).toEqual(['Name: Kov']));
  expect((field('previous.counter') as HTMLInputElement).value).toBe('');
  expect(search()).toBe('');
  expect(lastQuery()).toEqual({ ...NOTHING, ...FIRST, name: 'Kov' });

  await press(en['previous.reset']);
  await waitFor(() => expect(tags()).toEqual([]));
  expect((field('previous.name') as HTMLInputElement).value).toBe('');
  expect(localStorage.getItem(KEPT)).toBeNull();
});

it('has one search, and folds the other filters', async () => {
  const { search } = await open();
  const more = screen.getByRole('button', { name: en['previous.more'] });
  expect(more.getAttribute('aria-expanded')).toBe('false');
  expect(screen.queryByRole('textbox', { name: en['previous.name'] })).toBeNull();
  fireEvent.change(field('previous.q'), { target: { value: ' 0630 555 ' } });
  await submit();
  await waitFor(() => expect(tags()).toEqual(['Search the orders: 0630 555']));
  expect(lastQuery()).toEqual({ ...NOTHING, ...FIRST, q: '0630 555' });
  // It may be who a guest is.
  expect(search()).toBe('');
  await press(en['previous.more']);
  expect(more.getAttribute('aria-expanded')).toBe('true');
  expect(screen.getByRole('textbox', { name: en['previous.name'] })).toBeTruthy();
  fireEvent.change(field('previous.counter'), { target: { value: '7' } });
  await submit();
  await screen.findByRole('button', { name: 'Filters (1)' });
  expect(lastQuery()).toEqual({ ...NOTHING, ...FIRST, q: '0630 555', counter: '7' });
});

it('opens as it was left, or as a link says', async () => {
  localStorage.setItem(KEPT, JSON.stringify({ name: 'Kov', storno: 'only' }));
  const { search } = await open();
  await waitFor(() => expect(tags()).toEqual(['Name: Kov', 'Cancelled: Cancelled ones only']));
  expect(search()).toBe('?storno=only');
  expect(calls.list).toHaveBeenCalledOnce();
  expect(lastQuery()).toEqual({ ...NOTHING, ...FIRST, name: 'Kov', storno: 'only' });
});

it('sends partial stornos and a range of a link', async () => {
  localStorage.setItem(KEPT, JSON.stringify({ name: 'Kov' }));
  await open('?storno=partial&from=2026-05-30&till=2026-05-31');
  expect(lastQuery()).toEqual({
    ...NOTHING,
    ...FIRST,
    partial_storno: true,
    from: '2026-05-30',
    till: '2026-05-31',
  });
  expect(tags()).toEqual(['Time of order: 2026/05/30 – 2026/05/31', 'Cancelled: With partial stornos only']);
});

it('leaves the list as it is where the service refuses a filter, and says so at the field', async () => {
  await open();
  await screen.findByText('1 of 1');
  calls.list.mockRejectedValue(
    new ApiError({
      status: 422,
      code: 'VALIDATION_FAILED',
      keys: ['phone_1'],
      faults: [{ key: 'phone_1', fault: 'too_short', limit: 4 }],
    }),
  );
  fireEvent.change(field('previous.phone_1'), { target: { value: '12' } });
  await submit();
  expect(await screen.findByText('It must be at least 4 long.')).toBeTruthy();
  expect(tags()).toEqual([]);
  expect(screen.getByText('1 of 1')).toBeTruthy();
  expect(localStorage.getItem(KEPT)).toBeNull();
});

it('loads page by page, and shows nights as the day before', async () => {
  all = many(42);
  await open();
  await screen.findByText('40 of 42');
  // 01:30 in Budapest, half an hour before numbers start anew.
  expect(screen.getAllByText('2026/05/31 01:30 (next day)')).toHaveLength(40);
  await press(en['previous.load_more']);
  await screen.findByText('42 of 42');
  expect(lastQuery()).toEqual({ ...NOTHING, ...FIRST, page: 1 });
  expect(screen.queryByRole('button', { name: en['previous.load_more'] })).toBeNull();
  // The button is gone: the first row that it brought has the focus.
  await waitFor(() => expect(document.activeElement?.getAttribute('href')).toMatch(/o40$/));
});

it('names a partial storno and its order, and cancels none', async () => {
  const parent = sampleOrder({ id: 'o1', counter: '12', reversed_price: -1700, allowed: ['archive'] });
  all = [
    sampleOrder({ id: 'o2', counter: null, order_parent_id: 'o1', total_price: -1700, allowed: [] }),
    parent,
  ];
  await open();
  const link = await screen.findByRole('link', { name: 'Of: Order 12' });
  expect(link.getAttribute('href')).toBe('/r/r/order/o1');
  expect(screen.getByRole('link', { name: 'Partial storno' }).getAttribute('href')).toBe('/r/r/order/o2');
  expect(screen.getByText('-1,700 Ft cancelled')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^(Refuse|Cancel)/ })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Actions: Order 12' }));
  expect(await screen.findByRole('menuitem', { name: /^(Refuse|Cancel)/ })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Actions: .*number/ })).toBeNull();
});

const choose = async (name: string) => {
  await press(en['previous.saved']);
  const item = await screen.findByRole('menuitem', { name });
  await act(async () => fireEvent.click(item));
};

it('keeps filters under names, and brings a deleted one back', async () => {
  await open('?counter=7');
  await waitFor(() => expect(calls.saved).toHaveBeenCalled());
  await choose(en['previous.save_as']);
  fireEvent.change(await screen.findByLabelText(new RegExp(en['previous.saved_name'])), {
    target: { value: ' Mine ' },
  });
  await press(shared['action.save']!);
  expect(calls.save).toHaveBeenCalledExactlyOnceWith(
    'p',
    'r',
    { name: 'Mine', filter: { counter: '7' } },
    { 'Idempotency-Key': expect.any(String) },
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  await choose('Cancelled in May');
  await waitFor(() => expect(tags()).toHaveLength(2));
  expect(lastQuery()).toEqual({ ...NOTHING, ...FIRST, storno: 'only', from: '2026-05-01' });

  await choose(en['previous.saved_edit']);
  await screen.findByRole('button', { name: 'Delete: Cancelled in May' });
  await press('Delete: Cancelled in May');
  expect(calls.forget).toHaveBeenCalledExactlyOnceWith('p', 'r', 's1');
  calls.save.mockClear();
  const undo = await screen.findByText(shared['action.undo']!);
  await act(async () => fireEvent.click(undo));
  expect(calls.save.mock.lastCall![2]).toEqual({
    name: 'Cancelled in May',
    filter: { storno: 'only', from: '2026-05-01' },
  });
});

it('exports what the filter finds, behind the own PIN', async () => {
  await open('?storno=except');
  await press(en['previous.export']);
  const csv = await screen.findByLabelText(en['previous.export_format.csv']);
  await act(async () => fireEvent.click(csv));
  await press(exports['export_requests.order']);
  const pin = await screen.findByLabelText(shared['pin.label']!);
  fireEvent.change(pin, { target: { value: '2580' } });
  await act(async () => fireEvent.submit(pin));
  expect(calls.export).toHaveBeenCalledExactlyOnceWith(
    'p',
    'r',
    { export_email: 'own@example.invalid', format: 'csv', filter: { storno: 'except' } },
    undefined,
    { 'X-Pin': '2580' },
  );
});

it('says by what was paid online, and that nobody takes money for what was not', async () => {
  const payment_method = { ...sampleOrder().payment_method!, name_en: 'Online card', paid_online: true };
  const row = { payment_key: 'card_online', value: 9050, status: 'succeeded' };
  const paid = { due: 0, paid: 9050, payable_transactions: [row] } as Partial<Order>;
  const parts = [{ status: 'received' }, { status: 'expired' }, paid] as const;
  all = parts.map((part, index) => sampleOrder({ id: `o${index}`, pickup: true, payment_method, ...part }));
  calls.methods.mockResolvedValue([
    { id: 'm', payment_key: 'card_online', name: 'Bankkártya', name_en: 'Card on the web' },
  ]);
  await open();
  await screen.findByText('Card on the web', { selector: '.previous-small' });
  const told = [...document.querySelectorAll('.payment b')].map((one) => one.textContent);
  expect(told).toEqual(['Being paid online', 'Not paid', 'Paid']);
});
