import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Payment, PaymentEvent, PaymentRefund, Restaurant } from '../../generated/model';
import { ApiError, type RequestOptions } from '../../lib/http';
import shared from '../../lib/texts/en';
import { counted, press, showAt, signIn, stage, textOf } from '../../lib/stage.test-data';
import order from '../order/en';
import orderFeature from '../order/feature';
import { PaymentList } from '../order/payments/PaymentList';
import { sampleOrder } from '../order/sample.test-data';
import Payments from '.';
import en from './en';
import feature from './feature';
import { faultOf, leftOf, paymentsQuery } from './model';

const calls = vi.hoisted(() => ({
  list: vi.fn(),
  get: vi.fn(),
  refunds: vi.fn(),
  inquire: vi.fn(),
  look: vi.fn(),
  confirm: vi.fn(),
  refund: vi.fn(),
  order: vi.fn(),
}));
vi.mock('../../generated/client/payments/payments', async (original) => ({
  ...(await original<object>()),
  paymentsList: calls.list,
  paymentsGet: calls.get,
  refundsList: calls.refunds,
  paymentsInquire: calls.inquire,
  paymentsLook: calls.look,
  paymentsConfirm: calls.confirm,
  refundsCreate: calls.refund,
}));
vi.mock('../../generated/client/orders/orders', async (original) => ({
  ...(await original<object>()),
  ordersGet: calls.order,
}));
vi.mock('../../generated/client/restaurants/restaurants', async (original) => ({
  ...(await original<object>()),
  paymentMethodsList: async () => [
    { payment_key: 'card_online', name: 'Online bankkártya', name_en: 'Online card' },
  ],
}));
// Whether payments wait is a matter of its own.
vi.mock('../payment-pause', () => ({ default: () => null }));
vi.setConfig({ testTimeout: 60_000 });

const RESTAURANT = {
  id: 'r',
  partner_id: 'p',
  currency: 'huf',
  timezone: 'Europe/Budapest',
} as Restaurant;
const ID = '00000000-0000-7000-8000-000000000001';

const payment = (part: Partial<Payment> = {}): Payment => ({
  id: ID,
  order_id: 'o1',
  order_counter: 'A-012',
  kind: 'online',
  payment_method_id: 'm1',
  payment_key: 'card_online',
  provider: 'simplepay',
  provider_ref: '505203290',
  amount: 5900,
  tip: 0,
  currency: 'huf',
  handed_currency: 'huf',
  state: 'captured',
  captured: 5900,
  refunded: 0,
  late: false,
  amount_mismatch: false,
  conflict: false,
  not_taken: false,
  attention: false,
  assumed: false,
  actor_name: '',
  surface: 'pay',
  created_at: '2026-11-20T10:58:00Z',
  version: 1,
  ...part,
});
const refund = (part: Partial<PaymentRefund> = {}): PaymentRefund => ({
  id: 'f1',
  order_id: 'o1',
  order_counter: 'A-012',
  attempt_id: ID,
  payment_method_id: 'm1',
  payment_key: 'card_online',
  currency: 'huf',
  amount: 900,
  tip: 100,
  state: 'failed',
  by_storno: true,
  waits: false,
  actor_name: 'Anna',
  created_at: '2026-11-20T11:30:00Z',
  version: 1,
  ...part,
});
/** What the order's ledger has of it. */
const LEDGER = {
  id: 't1',
  attempt_id: ID,
  payment_key: 'card_online',
  provider_ref: '505203290',
  status: 'succeeded',
  value: 5900,
  tip: 0,
  rounding: 0,
  change_given: 0,
  assumed: false,
  moved: false,
  pickup: true,
  platform: 'browser',
};
const line = (part: Partial<PaymentEvent>): PaymentEvent => ({
  at: '2026-11-20T10:58:07Z',
  source: 'query',
  state: 'pending',
  ...part,
});
stage(RESTAURANT, { ...order, ...en }, { order: orderFeature, payments: feature });

/** What the service has. */
let rows: Payment[] = [];
const listed =
  <T,>(all: () => T[]) =>
  async (_partner: string, _restaurant: string, _query: object, options: RequestOptions) =>
    counted(options, all());
beforeEach(() => {
  rows = [payment()];
  for (const call of Object.values(calls)) call.mockReset();
  calls.list.mockImplementation(listed(() => rows));
  calls.refunds.mockImplementation(listed(() => [refund({ decline_code: 'bounced' })]));
  calls.get.mockImplementation(async () => rows[0]);
  calls.look.mockImplementation(async () => (rows = [payment({ attention: false })])[0]);
  for (const call of [calls.inquire, calls.confirm, calls.refund]) call.mockResolvedValue({});
  signIn('Partner', 'all_order', 'order_accept', 'order_storno');
});
const open = (path = '') => showAt(RESTAURANT, `payments${path}`, <Payments />);
/** The dialog over the drawer, by its title: in tests antd gives both titles one id. */
const dialogOver = async (title: RegExp) =>
  (await screen.findByText(title)).closest<HTMLElement>('[role=dialog]')!;
const asked = () => calls.list.mock.lastCall![2] as object;
const PAGE = { limit: 40, page: 0, count: true };

it('lists payments with what is odd about them, and filters them by the address', async () => {
  rows = [payment({ late: true, attention: true, tip: 100 })];
  const { address } = open(
    '?kind=online&provider=simplepay&state=captured&from=2026-11-01&till=2026-11-20&q=A-0&page=1',
  );
  const row = await screen.findByRole('row', { name: /A-012/ });
  await waitFor(() =>
    expect(textOf(row)).toBe(
      '2026/11/20 11:58Order A-012Online cardSimplePay5,900 Fttip: 100 FtPaidNeeds attentionCame late'.replace(
        'Order A-012',
        textOf(within(row).getByRole('link', { name: /A-012/ })),
      ),
    ),
  );
  expect(asked()).toEqual({
    ...PAGE,
    kind: 'online',
    provider: 'simplepay',
    state: 'captured',
    // From midnight to midnight in Budapest.
    from: '2026-10-31T23:00:00Z',
    till: '2026-11-20T23:00:00Z',
    search: 'A-0',
  });
  expect(within(row).getByRole('link', { name: /A-012/ }).getAttribute('href')).toBe('/r/r/order/o1');
  await act(async () => fireEvent.click(screen.getByRole('switch', { name: 'Needs attention' })));
  expect(address()).toContain('attention=true');
  await waitFor(() => expect(asked()).toMatchObject({ attention: true }));
  await press('Clear filters');
  expect(address()).toBe('/r/r/payments');
  await waitFor(() => expect(asked()).toEqual(PAGE));
});

it('says how much went back of a payment, and how many refunds wait for a person', async () => {
  rows = [payment({ refunded: 900 })];
  const { address } = open();
  const row = await screen.findByRole('row', { name: /A-012/ });
  expect(textOf(row)).toContain('PaidPartly given back: 900 Ft');
  await screen.findByText('Refunds that wait for you: 1');
  const waiting = { state: 'created', by_person: true };
  expect(calls.refunds.mock.lastCall![2]).toMatchObject({ ...waiting, limit: 1 });
  await act(async () => fireEvent.click(screen.getByRole('link', { name: 'Show them' })));
  expect(address()).toBe('/r/r/payments?tab=refunds&state=created&by_person=true');
  await waitFor(() => expect(calls.refunds.mock.lastCall![2]).toEqual({ ...PAGE, ...waiting }));
});

it('asks for nothing that could not have been chosen', () => {
  const filters = { from: ['zz'], kind: ['x'], state: ['captured'], attention: ['no'], order_id: ['1'] };
  expect(paymentsQuery({ search: '', filters }, 'UTC')).toEqual({ state: 'captured' });
});

it('opens a refused payment: why, for the guest and for the books, and what was said', async () => {
  rows = [
    payment({
      state: 'failed',
      captured: 0,
      decline_code: '2013',
      decline_text: 'not_enough_money',
      conversation: [
        line({ source: 'person', state: 'created', actor_name: '' }),
        line({ source: 'call', call: 'start', state: 'pending', reference: '505203290' }),
        line({ source: 'callback', at: '2026-11-20T10:59:01Z' }),
        line({ state: 'failed', provider_state: 'NOTAUTHORIZED', error: '2013', amount: 5900, fee: 90 }),
        line({ source: 'call', call: 'refund', state: 'unknown', error: 'Unreachable (Unknown) 5013' }),
      ],
    }),
  ];
  const { address } = open('?state=failed');
  await act(async () => fireEvent.click(await screen.findByRole('link', { name: '2026/11/20 11:58' })));
  expect(address()).toBe(`/r/r/payments/${ID}?state=failed`);
  const drawer = await screen.findByRole('dialog');
  await within(drawer).findByText(en['payments.guest.not_enough_money']);
  within(drawer).getByText('SimplePay refused it with the code 2013. No money has come.');
  await waitFor(() =>
    expect(within(drawer).getAllByRole('listitem').map(textOf)).toEqual([
      '2026/11/20 11:58:07The guestBegan to pay online',
      '2026/11/20 11:58:07We called SimplePayIt made a page on which the guest can payid: 505203290',
      '2026/11/20 11:59:01SimplePay sent a messageSomething happened with this payment',
      '2026/11/20 11:58:07We asked SimplePayThe payment was refused5,900 Ft · fee: 90 Ft · code: 2013 · in its own word: NOTAUTHORIZED',
      '2026/11/20 11:58:07We called SimplePayIt is not clear whether it gives the money backit could not be reached · code: 5013',
    ]),
  );
  expect(textOf(drawer)).toContain('Fee of the provider90 Ft');
  within(drawer).getByRole('button', { name: 'Copy the provider’s id' });
  await press('Ask again');
  expect(calls.inquire).toHaveBeenCalledWith('p', 'r', ID);
  // Nothing came that could go back, and the provider has told its end.
  expect(within(drawer).queryByRole('button', { name: /Give back|Confirm by hand/ })).toBeNull();
});

it('says what is odd until somebody has looked', async () => {
  rows = [
    payment({
      late: true,
      attention: true,
      refunds: [
        refund({ decline_code: 'never_arrived' }),
        refund({ id: 'f2', decline_code: 'provider_had_refunded' }),
      ],
    }),
  ];
  open(`/${ID}`);
  const drawer = await screen.findByRole('dialog');
  await within(drawer).findByText(order['order.mark_late']);
  within(drawer).getByText(order['order.mark_refund']);
  within(drawer).getByText(order['order.refund_fault_never_arrived']);
  within(drawer).getByText(order['order.refund_fault_provider_had_refunded']!);
  await press('I have looked at it');
  expect(calls.look).toHaveBeenCalledWith('p', 'r', ID);
  await waitFor(() => expect(within(drawer).queryByText(order['order.mark_late'])).toBeNull());
});

it('lets a person say what the provider cannot tell, by the PIN of somebody who may', async () => {
  signIn('Partner', 'all_order', 'order_accept');
  rows = [payment({ state: 'unknown', captured: 0, attention: true })];
  open(`/${ID}`);
  await screen.findByText(en['payments.guest.unknown']);
  calls.confirm.mockRejectedValueOnce(new ApiError({ status: 403, code: 'PIN_INVALID', title: 'x' }));
  await press('Confirm by hand');
  const dialog = await dialogOver(/What became of it/);
  await act(async () => fireEvent.click(within(dialog).getByRole('radio', { name: 'It is paid' })));
  const type = async (label: RegExp, value: string) =>
    fireEvent.change(await within(dialog).findByLabelText(label), { target: { value } });
  await type(/^Authorisation number/, ' 123456 ');
  await type(/^Why/, 'Seen on their page');
  await type(/^PIN/, '1234');
  await press('Confirm');
  const body = { paid: true, reason: 'Seen on their page', authorisation_number: '123456' };
  await waitFor(() =>
    expect(calls.confirm).toHaveBeenCalledWith('p', 'r', ID, body, undefined, { 'X-Pin': '1234' }),
  );
  await within(dialog).findByText(order['fault.pin_of_other']);
});

it('gives back with the order’s ledger, and never more than is left', async () => {
  calls.order.mockResolvedValue(sampleOrder({ payable_transactions: [LEDGER] }));
  open(`/${ID}`);
  await press('Give back');
  const dialog = await dialogOver(/Give back of/);
  // A provider gives back by itself: whether the guest has it is not asked.
  within(dialog).getByText(order['order.refund_by_provider']);
  expect(within(dialog).queryByRole('radio')).toBeNull();
  await act(async () => fireEvent.click(within(dialog).getByRole('button', { name: 'Give back' })));
  await waitFor(() => expect(calls.refund.mock.lastCall![2]).toBe(ID));
  expect(leftOf(payment({ refunds: [refund({ state: 'pending' })], refunded: 900 }))).toBe('4000');
});

it('offers nothing to those who only read', async () => {
  signIn('Partner', 'all_order');
  rows = [payment({ state: 'unknown', attention: true, captured: 5900 })];
  open(`/${ID}`);
  await screen.findByText(order['order.mark_unknown']);
  for (const name of ['Ask again', 'Confirm by hand', 'Give back', 'I have looked at it'])
    expect(screen.queryByRole('button', { name })).toBeNull();
});

it('lists refunds with why they failed; a row opens its payment', async () => {
  const { address } = open('?tab=refunds&state=failed');
  const row = await screen.findByRole('row', { name: /A-012/ });
  expect(calls.refunds.mock.lastCall![2]).toEqual({ ...PAGE, state: 'failed' });
  expect(textOf(row)).toContain('1,000 FtDid not work');
  expect(textOf(row)).toContain(order['order.refund_fault_bounced']);
  expect(textOf(row)).toContain('Anna · because of a cancellation');
  expect(calls.list).not.toHaveBeenCalled();
  await act(async () => fireEvent.click(within(row).getByRole('link', { name: '2026/11/20 12:30' })));
  expect(address()).toBe(`/r/r/payments/${ID}?tab=refunds&state=failed`);
  await screen.findByRole('dialog');
});

it('says that there is nothing, that nothing fits, and that it could not be read', async () => {
  rows = [];
  open();
  await screen.findByText(en['payments.empty_title.payments']);
  cleanup();
  open('?state=expired');
  await screen.findByText(shared['state.no_match']!);
  cleanup();
  calls.list.mockRejectedValueOnce(new ApiError({ status: 500, code: 'INTERNAL_ERROR', title: 'x' }));
  rows = [payment()];
  open();
  await press(shared['action.retry']!);
  await screen.findByRole('row', { name: /A-012/ });
});

it('marks an odd payment in its order, with the way here', async () => {
  rows = [payment({ conflict: true })];
  const list = <PaymentList order={sampleOrder({ payable_transactions: [LEDGER] })} onChanged={vi.fn()} />;
  showAt(RESTAURANT, 'order/o1', list);
  await screen.findByText(order['order.mark_conflict']);
  expect(asked()).toEqual({ order_id: 'o1' });
  const link = screen.getByRole('link', { name: order['order.mark_open'] });
  expect(link.getAttribute('href')).toBe(`/r/r/payments/${ID}`);
});

it('reads a fault of a call', () => {
  expect(faultOf('Invalid (None)')).toEqual({ fault: 'refused' });
  expect(faultOf('the answer is lost')).toEqual({ fault: 'lost' });
  expect(faultOf('2013')).toEqual({ code: '2013' });
});
