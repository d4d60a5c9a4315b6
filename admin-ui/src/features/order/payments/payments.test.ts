import { describe, expect, it } from 'vitest';
import type { PayableTransaction, PaymentRefund } from '../../../generated/model';
import { sampleOrder } from '../sample.test-data';
import type { Method } from './api';
import { evenPart, hundredths, inCoins, plain, share } from './exact';
import {
  canRefund,
  changeOf,
  freeOf,
  inEuros,
  isAlive,
  leftToRefund,
  notes,
  payBody,
  payState,
  quoted,
  refundBody,
  takenByHand,
} from './model';

const row = (part: Partial<PayableTransaction>): PayableTransaction => ({
  id: 't1',
  attempt_id: 'p1',
  payment_key: 'cash',
  value: 1000,
  tip: 0,
  rounding: 0,
  change_given: 0,
  status: 'succeeded',
  assumed: false,
  moved: false,
  pickup: true,
  platform: 'phone',
  ...part,
});
const asked = (part: Partial<PaymentRefund>): PaymentRefund => ({
  id: 'f1',
  order_id: 'o1',
  attempt_id: 'p1',
  payment_method_id: 'm1',
  payment_key: 'cash',
  currency: 'huf',
  amount: 100,
  tip: 0,
  state: 'created',
  by_storno: false,
  waits: false,
  actor_name: 'Anna',
  created_at: '2026-11-20T10:58:00Z',
  version: 1,
  ...part,
});

describe('exact amounts', () => {
  it.each([
    [1234, 123_400n, '1234'],
    ['12.3', 1230n, '12.3'],
    [-0.05, -5n, '-0.05'],
    ['', 0n, '0'],
    [null, 0n, '0'],
    // No float can hold it.
    ['90071992547409.93', 9_007_199_254_740_993n, '90071992547409.93'],
  ])('%s', (amount, exact, text) => {
    expect(hundredths(amount)).toBe(exact);
    expect(plain(exact)).toBe(text);
  });

  it.each([
    ['5893', '5895'],
    ['5892', '5890'],
    ['5892.5', '5895'],
    ['2', '0'],
    ['-3', '-5'],
  ])('%s Ft are %s in coins', (amount, coins) => {
    expect(plain(inCoins(hundredths(amount), 'huf'))).toBe(coins);
  });

  it('parts are even, the first takes what is over', () => {
    expect(plain(evenPart(hundredths(1000), 3, 'huf'))).toBe('334');
    expect(plain(evenPart(hundredths('10'), 3, 'eur'))).toBe('3.34');
  });

  it('shares of pieces add up to the line', () => {
    const one = (before: number) => share(1000, { of: 3, before, pieces: 1 }, 'huf');
    expect([one(0), one(1), one(2)].map(plain)).toEqual(['333', '334', '333']);
  });
});

describe('what an order owes', () => {
  it.each([
    [{ due: 9050, paid: 0 }, 'due'],
    [{ due: 3000, paid: 6050 }, 'part'],
    [{ due: 0, paid: 9050 }, 'paid'],
    [{ due: -500, paid: 500 }, 'back'],
    [{ due: 0, paid: 0 }, 'none'],
    [{ due: 0, paid: 0, total_price: 0 }, 'paid'],
  ])('%o is %s', (part, state) => expect(payState(sampleOrder(part))).toBe(state));

  it('leaves what nobody is paying yet', () => {
    const order = sampleOrder({
      due: 5000,
      payable_transactions: [row({ value: 4050 }), row({ id: 't2', status: 'pending', value: 3000 })],
    });
    expect(plain(freeOf(order))).toBe('2000');
  });

  it('takes no money for what is over or not begun', () => {
    expect(isAlive(sampleOrder())).toBe(true);
    expect(isAlive(sampleOrder({ status: 'received' }))).toBe(false);
    expect(isAlive(sampleOrder({ archived_at: '2026-11-20T10:58:00Z' }))).toBe(false);
    expect(isAlive(sampleOrder({ order_parent_id: 'o0' }))).toBe(false);
  });
});

it('offers what the restaurant takes by hand, balance and points to customers only', () => {
  const method = (payment_key: string, part: Partial<Method> = {}) =>
    ({ id: payment_key, payment_key, enabled: true, needs: [], paid_online: false, ...part }) as Method;
  const all = [
    method('cash'),
    method('card', { enabled: false }),
    method('card_online', { paid_online: true }),
    method('split'),
    method('balance'),
    method('points', { needs: ['loyalty'] }),
  ];
  const keys = (part: object) => takenByHand(all, sampleOrder(part)).map(({ id }) => id);
  expect(keys({})).toEqual(['cash']);
  expect(keys({ customer_id: 'c' })).toEqual(['cash', 'balance']);
  expect(keys({ customer_id: 'c', is_test: true })).toEqual(['cash']);
});

describe('what is sent', () => {
  const base = { payment_method_id: 'm1' };
  it.each([
    [{ how: 'all' }, {}],
    [{ how: 'amount', amount: '1200' }, { amount: '1200' }],
    [{ how: 'parts', parts: 3 }, { parts: 3 }],
    [{ how: 'items', items: { i1: 1, i2: 0 } }, { items: [{ order_item_id: 'i1', quantity: 1 }] }],
    [{ how: 'all', tip: '0', handed_over: '', payment_info: ' ' }, {}],
    [
      { how: 'all', tip: '300', handed_over: '10000', currency: 'huf' },
      { tip: '300', handed_over: '10000' },
    ],
    [
      { how: 'all', handed_over: '20', currency: 'eur' },
      { handed_over: '20', currency: 'eur' },
    ],
    [{ how: 'all', confirmed: 'no' }, { confirmed: false }],
    [
      { how: 'all', confirmed: 'yes', issuer: 'otp', authorisation_number: ' A-7 ' },
      { issuer: 'otp', authorisation_number: 'A-7' },
    ],
  ] as const)('%o', (values, body) => {
    expect(payBody({ ...base, ...values } as never, 'huf')).toEqual({ ...base, ...body });
  });

  it('of a refund names the amount where a tip goes back too, and says what is not done', () => {
    expect(refundBody({ amount: '400', done: 'yes' })).toEqual({ amount: '400' });
    expect(refundBody({ amount: '', tip: '100', reason: ' hideg ', done: 'no' })).toEqual({
      amount: '0',
      tip: '100',
      reason: 'hideg',
      done: false,
    });
  });
});

describe('what is to be paid', () => {
  const order = sampleOrder({ due: 9052 });
  const of = (values: object, cash = true) => quoted(order, values, cash, 'huf');

  it('is in coins, with the tip, for cash alone', () => {
    expect(plain(of({ how: 'all' }).toPay)).toBe('9050');
    expect(plain(of({ how: 'all', tip: '101' }).toPay)).toBe('9155');
    expect(plain(of({ how: 'all' }, false).toPay)).toBe('9052');
    expect(plain(of({ how: 'parts', parts: 3 }, false).toPay)).toBe('3018');
  });

  it('of pieces is their share, and only about that once something was paid', () => {
    expect(of({ how: 'items', items: { i1: 1, i2: 2 } }, false)).toEqual({
      amount: 491_500n,
      toPay: 491_500n,
      about: false,
    });
    const paid = sampleOrder({ due: 100, payable_transactions: [row({})] });
    expect(quoted(paid, { how: 'items', items: { i1: 1 } }, false, 'huf')).toMatchObject({
      amount: 10_000n,
      about: true,
    });
  });

  it.each([
    ['5893', 'huf', ['6000', '10000', '20000']],
    ['2335', 'huf', ['3000', '5000', '10000', '20000']],
    ['25300', 'huf', ['26000', '30000', '40000']],
    ['5000', 'huf', ['6000', '10000', '20000']],
    ['14.97', 'eur', ['15', '20', '50']],
  ])('%s %s may be paid with %o', (toPay, currency, offered) => {
    expect(notes(hundredths(toPay), currency)).toEqual(offered);
  });

  it('gives change in coins, and none while it is not enough', () => {
    expect(changeOf(hundredths('5895'), '10000', 'huf')).toBe(410_500n);
    expect(changeOf(hundredths('5895'), '5890', 'huf')).toBeUndefined();
    expect(changeOf(hundredths('5895'), '', 'huf')).toBeUndefined();
  });

  it('in euros is rounded up to be enough', () => {
    expect(plain(inEuros(hundredths('5893'), 393.7))).toBe('14.97');
    expect(inEuros(hundredths('5893'), 0)).toBe(0n);
  });
});

describe('what is left to give back', () => {
  const paid = row({ value: 1233, tip: 100 });
  const back = row({ id: 't2', value: -400, tip: 0, refund_id: 'f0', refunds_id: 't1' });

  it('is what neither went back nor is asked to', () => {
    const order = sampleOrder({
      payable_transactions: [paid, back],
      refunds: [
        asked({ amount: 33, tip: 100 }),
        asked({ id: 'f2', state: 'failed', amount: 800 }),
        asked({ id: 'f3', attempt_id: 'p2', amount: 1 }),
      ],
    });
    const { left, leftTip } = leftToRefund(order, paid);
    expect([plain(left), plain(leftTip)]).toEqual(['800', '0']);
    expect(canRefund(order, paid)).toBe(true);
  });

  it('is nothing of refunds, of what waits and of rows of earlier releases', () => {
    const order = sampleOrder({ payable_transactions: [paid, back] });
    expect(canRefund(order, back)).toBe(false);
    expect(canRefund(order, row({ status: 'pending' }))).toBe(false);
    expect(canRefund(order, row({ attempt_id: null }))).toBe(false);
  });
});
