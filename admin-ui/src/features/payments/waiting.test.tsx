import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { PayableTransaction, Payment, PaymentRefund, Restaurant } from '../../generated/model';
import { ApiError, type RequestOptions } from '../../lib/http';
import shared from '../../lib/texts/en';
import { counted, press, showAt, signIn, stage } from '../../lib/stage.test-data';
import order from '../order/en';
import orderFeature from '../order/feature';
import { marksOf } from '../order/payments/marks';
import { PaymentsCard } from '../order/payments/PaymentsCard';
import { sampleOrder } from '../order/sample.test-data';
import Payments from '.';
import en from './en';
import feature from './feature';
import { Badges } from './parts';

const calls = vi.hoisted(() => ({ refunds: vi.fn(), send: vi.fn(), confirm: vi.fn(), get: vi.fn() }));
vi.mock('../../generated/client/payments/payments', async (original) => ({
  ...(await original<object>()),
  paymentsList: async () => [],
  paymentsGet: calls.get,
  refundsList: calls.refunds,
  refundsSend: calls.send,
  refundsConfirm: calls.confirm,
}));
vi.mock('../../generated/client/restaurants/restaurants', async (original) => ({
  ...(await original<object>()),
  paymentMethodsList: async () => [
    { payment_key: 'card_online', name: 'Online bankkártya', name_en: 'Online card' },
  ],
}));
vi.setConfig({ testTimeout: 60_000 });

const RESTAURANT = { id: 'r', partner_id: 'p', currency: 'huf', timezone: 'UTC' } as Restaurant;
const WAITS: PaymentRefund = {
  id: 'f1',
  order_id: 'o1',
  order_counter: 'A-012',
  attempt_id: 'p1',
  payment_method_id: 'm1',
  payment_key: 'card_online',
  provider: 'simplepay',
  currency: 'huf',
  amount: 900,
  tip: 0,
  state: 'created',
  by_storno: true,
  waits: true,
  actor_name: 'Anna',
  created_at: '2026-11-20T11:30:00Z',
  version: 1,
};
stage(RESTAURANT, { ...order, ...en }, { order: orderFeature, payments: feature });

/** What the service has. */
let rows: PaymentRefund[] = [];
beforeEach(() => {
  rows = [WAITS];
  for (const call of Object.values(calls)) call.mockReset();
  calls.refunds.mockImplementation(
    async (_partner: string, _restaurant: string, _query: object, options: RequestOptions) =>
      counted(options, rows),
  );
  calls.send.mockImplementation(async () => (rows = [{ ...WAITS, waits: false, state: 'pending' }])[0]);
  calls.confirm.mockImplementation(async () => (rows = [{ ...WAITS, state: 'failed', reason: 'x' }])[0]);
  signIn('Partner', 'all_order', 'order_accept', 'order_storno');
});
const show = (content: ReactNode, path = '') => {
  const { location } = showAt(RESTAURANT, `payments${path}`, content);
  return () => location().pathname;
};
const type = async (label: RegExp, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } });

it('lets a refund go from the list, which is searched', async () => {
  const path = show(<Payments />, '?tab=refunds&q=A-0');
  const row = await screen.findByRole('row', { name: /A-012/ });
  within(row).getByText('Waits for approval');
  within(row).getByText('SimplePay');
  expect(calls.refunds.mock.lastCall![2]).toEqual({ limit: 40, page: 0, count: true, search: 'A-0' });
  await press(/^Let it go: Online card/, within(row));
  // The row is not opened, nor by what is pressed over it.
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).queryByLabelText(/^PIN/)).toBeNull();
  await press('Let it go', within(dialog));
  await waitFor(() => expect(calls.send).toHaveBeenCalledWith('p', 'r', 'f1', undefined, {}));
  await screen.findByText('Under way');
  expect(screen.queryByRole('button', { name: /^(Let it go|Drop it)/ })).toBeNull();
  expect(path()).toBe('/r/r/payments');
});

it('lets it go by the PIN of another person, and a wrong one stands at its field', async () => {
  signIn('Partner', 'all_order', 'order_accept');
  show(<Payments />, '?tab=refunds');
  await press(/^Let it go: /);
  calls.send.mockRejectedValueOnce(new ApiError({ status: 403, code: 'PIN_INVALID', title: 'x' }));
  await type(/^PIN/, '1234');
  await press('Let it go');
  await screen.findByText(order['fault.pin_of_other']);
  expect(calls.send).toHaveBeenCalledWith('p', 'r', 'f1', undefined, { 'X-Pin': '1234' });
});

it('drops it with a reason', async () => {
  show(<Payments />, '?tab=refunds');
  await press(/^Drop it: /);
  await press('Drop it');
  await screen.findByText(shared['form.required']!);
  expect(calls.confirm).not.toHaveBeenCalled();
  await type(/^Why/, 'Paid in cash');
  await press('Drop it');
  await waitFor(() =>
    expect(calls.confirm).toHaveBeenCalledWith('p', 'r', 'f1', { done: false, reason: 'Paid in cash' }),
  );
  await screen.findByText('Did not work');
});

it('offers nothing to those who only read, nor of what the provider gives back by itself', async () => {
  signIn('Partner', 'all_order');
  show(<Payments />, '?tab=refunds');
  await screen.findByText('Waits for approval');
  expect(screen.queryByRole('button', { name: /^(Let it go|Drop it)/ })).toBeNull();
  cleanup();
  signIn('Partner', 'all_order', 'order_accept', 'order_storno');
  const refunds = [{ ...WAITS, waits: false }];
  show(<PaymentsCard order={sampleOrder({ refunds })} onChanged={vi.fn()} />);
  await screen.findByText('Yet to be given back');
  expect(screen.queryByRole('button', { name: /^(Let it go|Drop it|Given back|Could not be)/ })).toBeNull();
});

it('on the order tells what waits for the provider from what is at the terminal', async () => {
  const row = (part: Partial<PayableTransaction>): PayableTransaction => ({
    id: 't1',
    attempt_id: 'p1',
    payment_key: 'card_online',
    provider_ref: '505',
    status: 'authorised',
    value: 3000,
    tip: 0,
    rounding: 0,
    change_given: 0,
    assumed: false,
    moved: false,
    pickup: true,
    platform: 'browser',
    ...part,
  });
  const card = row({
    id: 't2',
    attempt_id: 'p2',
    payment_key: 'card',
    provider_ref: null,
    status: 'pending',
  });
  const of = (payable_transactions: PayableTransaction[]) =>
    sampleOrder({ status: 'processed', due: 6000, payable_transactions, refunds: [WAITS] });
  show(<PaymentsCard order={of([row({}), { ...card, value: 500 }])} onChanged={vi.fn()} />);
  await screen.findByText('Held by the bank');
  const sum = (name: string) =>
    screen.getByText(name).nextElementSibling!.textContent.replace(/[\u00a0\u202f]/g, ' ');
  expect(sum('Waits for the provider')).toBe('3,000 Ft');
  expect(sum('At the terminal')).toBe('500 Ft');
  screen.getByText('Waits for approval');
  screen.getByRole('button', { name: /^Let it go: / });
  cleanup();
  show(<PaymentsCard order={of([row({ value: 6000 })])} onChanged={vi.fn()} />);
  await screen.findByText(order['order.pay_all_online']);
});

it('marks held money that could not be taken until some comes, and payments of tests', () => {
  const odd = { late: false, conflict: false, amount_mismatch: false, attention: false, not_taken: true };
  const payment = { ...odd, state: 'authorised', captured: 0, environment: 'stand_in' } as Payment;
  expect(marksOf(payment)).toEqual(['not_taken']);
  expect(marksOf({ ...payment, captured: 900 })).toEqual([]);
  show(<Badges payment={payment} />);
  screen.getByText('Test');
  screen.getByText('Could not be taken');
  cleanup();
  show(<Badges payment={{ ...payment, environment: 'live' }} />);
  expect(screen.queryByText('Test')).toBeNull();
});
