import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Me, PayableTransaction, Restaurant, StornoReason } from '../../../generated/model';
import { UnsavedProvider } from '../../../lib/form/unsaved';
import { ApiError } from '../../../lib/http';
import { session } from '../../../lib/session';
import { RestaurantContext, setTarget } from '../../../lib/target';
import shared from '../../../lib/texts/en';
import en from '../en';
import type { Order } from '../model';
import { sampleOrder } from '../sample.test-data';
import StornoDialog from '../storno/StornoDialog';
import PayDialog from './PayDialog';
import RefundDialog from './RefundDialog';

const calls = vi.hoisted(() => ({
  pay: vi.fn(),
  refund: vi.fn(),
  storno: vi.fn(),
  get: vi.fn(),
  methods: vi.fn(),
  reasons: vi.fn(),
}));
vi.mock('../../../generated/client/orders/orders', async (original) => ({
  ...(await original<object>()),
  ordersStorno: calls.storno,
  ordersGet: calls.get,
  stornoReasonsList: calls.reasons,
}));
vi.mock('../../../generated/client/payments/payments', async (original) => ({
  ...(await original<object>()),
  paymentsCreate: calls.pay,
  refundsCreate: calls.refund,
}));
vi.mock('../../../generated/client/restaurants/restaurants', async (original) => ({
  ...(await original<object>()),
  paymentMethodsList: calls.methods,
}));
vi.setConfig({ testTimeout: 60_000 });

const RESTAURANT = { id: 'r', partner_id: 'p', currency: 'huf', timezone: 'UTC' } as Restaurant;
const method = (payment_key: string, name_en: string) => ({
  id: payment_key,
  payment_key,
  name_en,
  enabled: true,
  needs: [],
  paid_online: false,
});
const METHODS = [method('cash', 'Cash'), method('card', 'Card'), method('szep_kartya', 'SZEP card')];
const problem = (status: number, code: string, more: object = {}) =>
  new ApiError({ status, code, title: code, ...more });
const person = (...permissions: string[]) =>
  session.set({
    super_admin: false,
    targets: [{ partner_id: 'p', target_type: 'Partner', permissions }],
  } as unknown as Me);

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: {
      en: {
        translation: {
          ...shared,
          ...en,
          'errors.PIN_INVALID': 'Wrong PIN.',
          'errors.PAYMENT_ABOVE_DUE': 'Too much.',
          'errors.POINTS_NOT_ENOUGH': 'Too few points.',
        },
      },
    },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  });
  setTarget(RESTAURANT);
});
afterAll(() => {
  session.set(null);
  setTarget(undefined);
});
beforeEach(() => {
  for (const call of Object.values(calls)) call.mockReset();
  calls.methods.mockResolvedValue(METHODS);
  calls.reasons.mockResolvedValue([]);
  person('order_accept', 'order_storno');
});
afterEach(cleanup);

function show(dialog: ReactNode) {
  const router = createMemoryRouter([
    {
      path: '/',
      element: (
        <UnsavedProvider>
          <RestaurantContext.Provider value={RESTAURANT}>{dialog}</RestaurantContext.Provider>
        </UnsavedProvider>
      ),
    },
  ]);
  render(
    <App>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </App>,
  );
}
const changed = vi.fn();
const closed = vi.fn();
beforeEach(() => {
  changed.mockReset();
  closed.mockReset();
});

/** A required field has a star. */
const named = (label: string) => (text: string) => text === label || text === `${label}*`;
const radio = (name: string) => screen.findByRole('radio', { name });
const press = async (name: string) =>
  act(async () => fireEvent.click(await screen.findByRole('button', { name })));
const type = async (label: string, value: string) => {
  const field = await screen.findByLabelText(named(label));
  fireEvent.change(field, { target: { value } });
  fireEvent.blur(field);
};
const plainText = (node: Element) => (node.textContent ?? '').replace(/[\u00a0\u202f]/g, ' ');

describe('paying', () => {
  const open = (part: Partial<Order> = {}) =>
    show(
      <PayDialog
        order={sampleOrder({ due: 5893, status: 'processed', ...part })}
        onChanged={changed}
        onClose={closed}
      />,
    );
  const bodies = () => calls.pay.mock.calls.map((call) => call[3] as object);
  const keys = () =>
    calls.pay.mock.calls.map((call) => (call[4] as Record<string, string>)['Idempotency-Key']);
  const answer = (part: object = {}) => ({
    id: 'p1',
    payment_key: 'cash',
    state: 'captured',
    amount: 5893,
    tip: 0,
    rounding: 2,
    handed_over: 10_000,
    handed_currency: 'huf',
    change_given: 4105,
    due: 0,
    ...part,
  });

  it('offers round amounts, pays once however often one presses, and shows the change that was answered', async () => {
    let done: (value: object) => void = () => undefined;
    calls.pay.mockReturnValue(new Promise((resolve) => (done = resolve)));
    open();
    await press('10,000\u00a0Ft');
    await waitFor(() => expect(plainText(document.querySelector('.pay-change')!)).toContain('4,105 Ft'));
    expect(plainText(document.querySelector('.pay-preview')!)).toContain('5,895 Ft');
    const form = document.querySelector('form')!;
    await act(async () => {
      fireEvent.submit(form);
      fireEvent.submit(form);
    });
    await waitFor(() => expect(calls.pay).toHaveBeenCalledOnce());
    expect(bodies()[0]).toEqual({ payment_method_id: 'cash', handed_over: '10000' });
    await act(async () => done(answer({ change_given: 4105 })));
    await waitFor(() => expect(plainText(document.querySelector('.receipt-change')!)).toContain('4,105 Ft'));
    expect(changed).toHaveBeenCalled();
    await press('Done');
    expect(closed).toHaveBeenCalledOnce();
  });

  it('says what is left and what waits when somebody else was faster, and repeats with the same key', async () => {
    calls.pay
      .mockRejectedValueOnce(problem(409, 'PAYMENT_ABOVE_DUE', { due: 3000, waiting: 1000 }))
      .mockRejectedValueOnce(problem(0, 'NETWORK_ERROR'))
      .mockResolvedValueOnce(answer());
    open();
    await radio('Cash');
    await press('Pay');
    const alert = await screen.findByRole('alert');
    expect(plainText(alert)).toContain('Still due: 3,000 Ft. Of that at the terminal: 1,000 Ft.');
    expect(changed).toHaveBeenCalledOnce();
    await press('Pay');
    await screen.findByText(shared['form.unknown']!);
    await press('Pay');
    await screen.findByRole('button', { name: 'Done' });
    expect(new Set(keys()).size, 'the same body').toBe(1);
  });

  it('refuses too little by itself, and needs issuer and number of a SZÉP card', async () => {
    open();
    await radio('Cash');
    await type('The guest gives', '5000');
    await press('Pay');
    await screen.findByText(en['order.handed_too_little']!);
    fireEvent.click(await radio('SZEP card'));
    await screen.findByLabelText('Authorisation number');
    await act(async () => fireEvent.submit(document.querySelector('form')!));
    await screen.findByText(en['order.issuer_missing']!);
    expect(calls.pay).not.toHaveBeenCalled();
    fireEvent.click(await radio('Still at the terminal'));
    await waitFor(() => expect(screen.queryByLabelText(named('Authorisation number'))).toBeNull());
    calls.pay.mockResolvedValue(answer({ payment_key: 'szep_kartya', state: 'pending', due: 5893 }));
    await press('Sent to the terminal');
    await waitFor(() => expect(calls.pay).toHaveBeenCalledOnce());
    expect(bodies()[0]).toEqual({ payment_method_id: 'szep_kartya', confirmed: false });
  });

  it('goes on with one part less', async () => {
    calls.pay.mockResolvedValue(answer({ amount: 1965, due: 3928 }));
    open();
    fireEvent.click(await radio('An even part'));
    await type('Into how many parts?', '3');
    await press('Pay');
    await press('Next payment');
    const parts = await screen.findByLabelText<HTMLInputElement>('Into how many parts?');
    expect(parts.value).toBe('2');
    expect(bodies()[0]).toEqual({ payment_method_id: 'cash', parts: 3 });
  });

  it('offers pieces that are left, and asks for one', async () => {
    const [chicken, soda] = sampleOrder().items;
    open({ items: [chicken!, { ...soda!, reversed_quantity: 2 }] });
    fireEvent.click(await radio('Items'));
    const list = await screen.findByRole('list', { name: 'Items to pay' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(1);
    await press('Pay');
    await screen.findByText(en['order.pieces_missing']!);
    await press('More: Csirkepaprikás, Nagy');
    calls.pay.mockResolvedValue(answer());
    await press('Pay');
    await waitFor(() => expect(calls.pay).toHaveBeenCalledOnce());
    expect(bodies()[0]).toEqual({
      payment_method_id: 'cash',
      items: [{ order_item_id: 'i1', quantity: 1 }],
    });
  });
});

describe('giving back', () => {
  const row = {
    id: 't1',
    attempt_id: 'p1',
    payment_key: 'card',
    value: 5000,
    tip: 300,
    rounding: 0,
    change_given: 0,
    status: 'succeeded',
    assumed: false,
    moved: false,
  } as PayableTransaction;
  const open = () =>
    show(
      <RefundDialog
        order={sampleOrder({ payable_transactions: [row] })}
        row={row}
        onChanged={changed}
        onClose={closed}
      />,
    );
  const body = () => calls.refund.mock.lastCall?.[3] as object;

  it('begins with what is left; the tip stays unless it is named', async () => {
    calls.refund.mockResolvedValue({});
    open();
    await press('Give back');
    await waitFor(() => expect(calls.refund).toHaveBeenCalledOnce());
    expect(body()).toEqual({ amount: '5000' });
    await waitFor(() => expect(closed).toHaveBeenCalled());
  });

  it('asks for nobody’s PIN of who may, and for somebody’s of who may not', async () => {
    open();
    await screen.findByLabelText('Amount to give back');
    expect(screen.queryByLabelText(named(en['order.pin']!))).toBeNull();
    cleanup();
    person('order_accept');
    calls.refund.mockRejectedValueOnce(problem(403, 'PIN_INVALID')).mockResolvedValueOnce({});
    open();
    await type('Amount to give back', '400');
    await press('Give back');
    await screen.findByText(en['order.pin_missing']!);
    expect(calls.refund).not.toHaveBeenCalled();
    await type(en['order.pin']!, '1111');
    await press('Give back');
    await screen.findByText(en['fault.pin_of_other']!);
    expect((screen.getByLabelText(named(en['order.pin']!)) as HTMLInputElement).value).toBe('');
    await type(en['order.pin']!, '2580');
    await press('Give back');
    await waitFor(() => expect(calls.refund).toHaveBeenCalledTimes(2));
    expect(calls.refund.mock.lastCall?.[5]).toMatchObject({ 'X-Pin': '2580' });
    expect(body()).toEqual({ amount: '400' });
  });
});

describe('taking items back', () => {
  const open = (part: Partial<Order> = {}) =>
    show(<StornoDialog order={sampleOrder(part)} onChanged={changed} onClose={closed} />);

  it('shows what it is worth and goes back, and sends pieces with a reason', async () => {
    calls.storno.mockResolvedValue(sampleOrder({ due: -4135 }));
    open({ due: 0, paid: 9050 });
    await press('Take back');
    await screen.findByText(en['order.pieces_missing']!);
    await screen.findByText(en['order.reason_missing']!);
    await press('More: Csirkepaprikás, Nagy');
    fireEvent.click(await radio('Cold'));
    expect(plainText(document.querySelector('.storno-worth')!)).toMatch(/4,135 Ft.*4,135 Ft/);
    await press('Take back');
    await waitFor(() => expect(calls.storno).toHaveBeenCalledOnce());
    expect(calls.storno.mock.lastCall?.[3]).toEqual({
      items: [{ order_item_id: 'i1', quantity: 1 }],
      reason: 'cold',
    });
    await waitFor(() => expect(closed).toHaveBeenCalled());
  });

  it('sends one of the restaurant’s own reasons with words, and says when it is gone', async () => {
    const own = (id: string, name: string, part: Partial<StornoReason> = {}): StornoReason => ({
      id,
      name,
      used_for: 'pieces',
      text_required: false,
      active: true,
      ranking: 0,
      version: 1,
      ...part,
    });
    calls.reasons.mockResolvedValue([
      own('r1', 'Kihűlt', { text_required: true }),
      own('r2', 'Rossz cím'),
      own('r3', 'Nem főzzük', { used_for: 'both' }),
    ]);
    calls.storno
      .mockRejectedValueOnce(
        problem(422, 'VALIDATION_FAILED', {
          keys: ['reason_id'],
          faults: [{ key: 'reason_id', fault: 'not_exist' }],
        }),
      )
      .mockResolvedValueOnce(sampleOrder());
    // Goods that go back have reasons of their own, whether or not somebody has accepted the order.
    open({ status: 'succeeded' });
    fireEvent.click(await radio('Kihűlt'));
    expect(screen.getAllByRole('radio')).toHaveLength(2);
    await press('More: Csirkepaprikás, Nagy');
    await press('Take back');
    await screen.findByText(en['order.reason_text_missing']!);
    expect(calls.storno).not.toHaveBeenCalled();
    await type(en['order.reason_text']!, 'hideg');
    calls.reasons.mockResolvedValue([own('r2', 'Rossz cím')]);
    await press('Take back');
    await screen.findByText(en['order.reason_gone']!);
    await waitFor(() => expect(screen.queryByRole('radio', { name: 'Kihűlt' })).toBeNull());
    const left = await radio('Rossz cím');
    expect((left as HTMLInputElement).checked).toBe(false);
    fireEvent.click(left);
    await press('Take back');
    await waitFor(() => expect(calls.storno).toHaveBeenCalledTimes(2));
    expect(calls.storno.mock.calls.map((call) => call[3] as object)).toEqual([
      { items: [{ order_item_id: 'i1', quantity: 1 }], reason_id: 'r1', reason_text: 'hideg' },
      { items: [{ order_item_id: 'i1', quantity: 1 }], reason_id: 'r2', reason_text: 'hideg' },
    ]);
    await waitFor(() => expect(closed).toHaveBeenCalled());
  });

  it('warns when it takes everything, and offers fees that are not back yet', async () => {
    calls.get.mockResolvedValue(sampleOrder({ delivery_price: -990 }));
    open({
      delivery_price: 990,
      tip: 500,
      stornos: [{ id: 'c1', total_price: -990, created_at: '2026-11-20T10:58:00Z' }],
    });
    await waitFor(() => expect(screen.queryByLabelText(/^Delivery fee/)).toBeNull());
    expect(screen.getByLabelText(/^Tips/)).toBeTruthy();
    await press('All: Csirkepaprikás, Nagy');
    expect(screen.queryByText(en['order.pieces_all_warning']!)).toBeNull();
    await press('All: Szódavíz, 0,5 l');
    await screen.findByText(en['order.pieces_all_warning']!);
    await screen.findByRole('button', { name: 'Cancel the whole order' });
    expect(screen.queryByLabelText(/^Tips/)).toBeNull();
  });
});
