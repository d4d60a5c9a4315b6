import { describe, expect, it } from 'vitest';
import {
  hasNext,
  type LedgerValues,
  paymentBody,
  pointsBody,
  signed,
  thisMinute,
  timeFault,
  valueFault,
} from './ledger';

const NOW = Date.parse('2026-07-15T10:20:30Z');
const values = (rest: Partial<LedgerValues>): LedgerValues => ({
  direction: 'in',
  value: '1500',
  payment_method: 'cash',
  transaction_at: '2026-07-15T10:00:00Z',
  comment: '',
  ...rest,
});

describe('the amount of a movement', () => {
  it.each([
    ['in', '1500', '1500'],
    ['out', '1500', '-1500'],
    ['out', '12 345,50 Ft', '-12345.50'],
    ['in', '', ''],
    ['out', '', ''],
  ] as const)('%s %s is sent as %s', (direction, value, sent) => {
    expect(signed({ direction, value })).toBe(sent);
  });

  it.each([
    ['', 'form.required'],
    ['sok', 'form.required'],
    ['0', 'customers.value_positive'],
    ['0.00', 'customers.value_positive'],
    ['-5', 'customers.value_positive'],
    ['1', undefined],
    ['0.01', undefined],
  ])('%s is %s', (value, fault) => {
    expect(valueFault(value)).toBe(fault);
  });
});

describe('the time of a movement', () => {
  it.each([
    [null, 'form.required'],
    ['2026-07-15T10:20:31Z', 'customers.time_future'],
    ['2026-07-15T10:20:30Z', undefined],
    ['2010-10-10T00:00:00Z', undefined],
  ])('%s: %s', (at, fault) => {
    expect(timeFault(at, NOW)).toBe(fault);
  });

  it('begins with the minute of this moment, which is never in the future', () => {
    expect(thisMinute(NOW)).toBe('2026-07-15T10:20:00Z');
    expect(timeFault(thisMinute(NOW), NOW)).toBeUndefined();
  });
});

it('a movement is sent with its sign, an empty comment not at all', () => {
  expect(paymentBody(values({ direction: 'out', comment: '  ' }), null)).toEqual({
    value: -1500,
    payment_method: 'cash',
    transaction_at: '2026-07-15T10:00:00Z',
  });
  expect(pointsBody(values({ comment: ' Kárpótlás ' }))).toEqual({ value: 1500, comment: 'Kárpótlás' });
});

it('a time that nobody changed is left to the clock of the service', () => {
  const { transaction_at } = values({});
  expect(paymentBody(values({}), transaction_at)).not.toHaveProperty('transaction_at');
});

it.each([
  [10, 0, undefined, true],
  [9, 0, undefined, false],
  [0, 3, undefined, false],
  [10, 0, 10, false],
  [10, 0, 11, true],
  [10, 1, 20, false],
])('%i rows on page %i of %s in all: another page is %s', (rows, page, total, next) => {
  expect(hasNext(rows, page, total)).toBe(next);
});
