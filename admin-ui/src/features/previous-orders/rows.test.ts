import { describe, expect, it } from 'vitest';
import type { OrderSummary } from '../../generated/model';
import { begun, extended, newOf, pagesAfter, receive, replaced } from './rows';

/** Orders by their ids; the newest first. */
const orders = (from: number, till: number): OrderSummary[] =>
  Array.from({ length: from - till + 1 }, (_, index) => ({ id: String(from - index) }) as OrderSummary);
const ids = (rows: { orders: readonly OrderSummary[] }) => rows.orders.map(({ id }) => Number(id));
const first = begun({ rows: orders(100, 61), total: 100, page: 0 });

describe('rows that are read again', () => {
  it('change in place, and new ones wait', () => {
    const read = [...orders(102, 63)].map((order) => ({ ...order, version: 2 }));
    const rows = receive(first, { rows: read, total: 102, page: 0 });
    expect(ids(rows)).toEqual(ids(first));
    expect(rows.orders[0]!.version).toBe(2);
    expect(rows.orders.at(-1)!.version).toBeUndefined();
    expect([...rows.waiting]).toEqual(['102', '101']);
    expect(newOf(rows)).toBe(2);
    expect(rows.left).toBe(60);
  });

  it('stay where they do not match any more, and what comes up from below is not new', () => {
    const read = [...orders(100, 91), ...orders(89, 60)];
    const rows = receive(first, { rows: read, total: 99, page: 0 });
    expect(ids(rows)).toEqual(ids(first));
    expect(newOf(rows)).toBe(0);
    expect(rows.moved).toBe(true);
  });

  it('are the list where there was none', () => {
    const none = begun({ rows: [], total: 0, page: 0 });
    expect(ids(receive(none, { rows: orders(1, 1), total: 1, page: 0 }))).toEqual([1]);
  });
});

describe('a further page', () => {
  it('is the next one, and all are there in the end', () => {
    expect(pagesAfter(first)).toEqual([1]);
    const two = extended(first, { rows: orders(60, 21), total: 100, page: 1 });
    expect(two.left).toBe(20);
    const three = extended(two, { rows: orders(20, 1), total: 100, page: 2 });
    expect(ids(three)).toEqual(ids({ orders: orders(100, 1) }));
    expect(three.left).toBe(0);
  });

  it('leaves none out where rows went away since, and doubles none where some came', () => {
    // 90 to 81 do not match any more.
    const gone = replaced(first, { id: '90', version: 2 } as OrderSummary);
    expect(pagesAfter(gone)).toEqual([0, 1]);
    const now = [...orders(100, 91), ...orders(80, 1)];
    const rows = [0, 1].reduce(
      (known, page) => extended(known, { rows: now.slice(page * 40, page * 40 + 40), total: 90, page }),
      gone,
    );
    expect(ids(rows)).toEqual(ids({ orders: orders(100, 11) }));

    const come = receive(first, { rows: orders(103, 64), total: 103, page: 0 });
    const more = [0, 1].reduce(
      (known, page) => extended(known, { rows: orders(103 - page * 40, 64 - page * 40), total: 103, page }),
      come,
    );
    expect(ids(more)).toEqual(ids({ orders: orders(100, 24) }));
    expect(newOf(more)).toBe(3);
  });

  it('puts a row that came between where it stands', () => {
    const rows = extended(first, {
      rows: [...orders(70, 66), { id: '65.5' } as OrderSummary, ...orders(65, 40)],
      total: 101,
      page: 1,
    });
    expect(ids(rows).slice(34, 37)).toEqual([66, 65.5, 65]);
  });
});
