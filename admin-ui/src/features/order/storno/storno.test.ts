import { describe, expect, it } from 'vitest';
import type { OrderItem } from '../../../generated/model';
import { sampleOrder } from '../sample.test-data';
import { plain } from '../payments/exact';
import { backToGuest, feesLeft, stornoBody, stornoWorth, takesAll } from './model';

const base = sampleOrder({ delivery_price: 990, tip: 100, courier_tip: 50, due: 0, paid: 10_190 });
const fees = feesLeft(base, []);
const worth = (values: object, order = base) => plain(stornoWorth(order, values, fees));

describe('what pieces are worth', () => {
  it('is their share with fee and deposit, in steps that add up', () => {
    const odd = { ...base.items[0]!, quantity: 3, paid_price: 1000, service_fee: 100, deposit: 50 };
    const of = (reversed_quantity: number) =>
      Number(
        worth({ items: { i1: 1 } }, { ...base, items: [{ ...odd, reversed_quantity }, base.items[1]!] }),
      );
    expect([of(0), of(1), of(2)]).toEqual([333 + 33 + 17, 334 + 34 + 16, 333 + 33 + 17]);
  });

  it('of a line of parts is the sum of its parts, each rounded', () => {
    const part = (paid_price: number) => ({ paid_price, service_fee: 0 }) as OrderItem['parts'][number];
    const item = { ...base.items[0]!, quantity: 3, parts: [part(100), part(100)] };
    expect(worth({ items: { i1: 1 } }, { ...base, items: [item, base.items[1]!] })).toBe('66');
  });

  it('has the fees that are named, and all of them with the last piece', () => {
    expect(worth({ items: {}, delivery: true })).toBe('990');
    expect(worth({ items: { i2: 2 }, tips: true })).toBe('930');
    expect(worth({ items: { i1: 2, i2: 2 } })).toBe('10190');
  });

  it('has no fee that is back already', () => {
    const left = feesLeft(base, [
      { delivery_price: -990, tip: 0, employee_tip: 0, courier_tip: 0, system_usage_fee: 0 },
    ]);
    expect(left).toEqual({ delivery: 0n, system_usage_fee: 0n, tips: 15_000n });
  });

  it('goes back as far as the guest has paid it', () => {
    expect(backToGuest({ due: 0 }, 100_000n)).toBe(100_000n);
    expect(backToGuest({ due: 400 }, 100_000n)).toBe(60_000n);
    expect(backToGuest({ due: 4000 }, 100_000n)).toBe(0n);
    // What was to go back before is not counted again.
    expect(backToGuest({ due: -500 }, 100_000n)).toBe(100_000n);
  });
});

it('knows when nothing is left', () => {
  expect(takesAll(base, { i1: 2 })).toBe(false);
  expect(takesAll(base, { i1: 2, i2: 2 })).toBe(true);
  const rest = { items: [{ ...base.items[0]!, reversed_quantity: 2 }, base.items[1]!] };
  expect(takesAll(rest, { i2: 2 })).toBe(true);
});

it('sends pieces, the fees that are on, and the reason', () => {
  expect(
    stornoBody({
      items: { i1: 1, i2: 0 },
      delivery: true,
      tips: false,
      reason: 'other',
      reason_text: ' hideg ',
      pin: '1234',
    }),
  ).toEqual({
    items: [{ order_item_id: 'i1', quantity: 1 }],
    delivery: true,
    reason: 'other',
    reason_text: 'hideg',
  });
});
