/** The rows of a list that is read page by page, and what becomes of them when some are read again. */
import type { OrderRow } from '../order/model';
import { PAGE_SIZE } from '../../lib/crud/listProps';

export interface Rows {
  orders: readonly OrderRow[];
  /** Of all pages. */
  total: number;
  /** The page that brings further rows, from 0. */
  next: number;
  /** Rows below the last page that was read. */
  left: number;
  /** Rows that came in meanwhile and are not shown: they would push the list away from under the eye. */
  waiting: ReadonlySet<string>;
  /** Something happened since the last page was read: the next one may begin elsewhere. */
  moved: boolean;
}

/** An answer of the service: a page, or more rows from the list's beginning. */
export interface Read {
  rows: readonly OrderRow[];
  total: number;
  /** From 0. */
  page: number;
}

const below = ({ rows, total, page }: Read): number => Math.max(0, total - page * PAGE_SIZE - rows.length);

export const begun = (read: Read): Rows => ({
  orders: read.rows,
  total: read.total,
  next: read.page + 1,
  left: below(read),
  waiting: new Set(),
  moved: false,
});

/** One row as it is now. */
export const replaced = (rows: Rows, order: OrderRow): Rows => ({
  ...rows,
  moved: true,
  orders: rows.orders.map((row) => (row.id === order.id ? order : row)),
});

/**
 * Rows from the list's beginning, read again: those that are shown change in place, and stay where they do not
 * match any more. Others wait, unless they only came up from below.
 */
export function receive(rows: Rows, read: Read): Rows {
  if (rows.orders.length === 0) return begun(read);
  const shown = new Set(rows.orders.map(({ id }) => id));
  const now = new Map(read.rows.map((order) => [order.id, order]));
  const lastKnown = read.rows.findLastIndex(({ id }) => shown.has(id));
  const before = lastKnown < 0 ? read.rows : read.rows.slice(0, lastKnown);
  const waiting = before.filter(({ id }) => !shown.has(id)).map(({ id }) => id);
  return {
    ...rows,
    orders: rows.orders.map((order) => now.get(order.id) ?? order),
    total: read.total,
    waiting: new Set(waiting),
    moved: rows.moved || waiting.length > 0 || read.total !== rows.total,
  };
}

/** A further page: what is shown already stays once, and what is not follows the row that it follows there. */
export function extended(rows: Rows, read: Read): Rows {
  const orders = [...rows.orders];
  const at = new Map(orders.map(({ id }, index) => [id, index]));
  const added: { after: number; order: OrderRow }[] = [];
  let after = orders.length - 1;
  for (const order of read.rows) {
    const index = at.get(order.id);
    if (index === undefined) {
      if (!rows.waiting.has(order.id)) added.push({ after, order });
    } else {
      orders[index] = order;
      after = index;
    }
  }
  for (const { after: index, order } of added.toReversed()) orders.splice(index + 1, 0, order);
  return { ...rows, orders, total: read.total, next: read.page + 1, left: below(read), moved: false };
}

/** Which pages bring the next rows: where something moved, the one before too, so that none falls between two. */
export const pagesAfter = ({ next, moved }: Rows): number[] =>
  moved && next > 0 ? [next - 1, next] : [next];

/** Rows above the end of what was read that are not shown. */
export const newOf = ({ orders, total, left, waiting }: Rows): number =>
  Math.max(waiting.size, total - left - orders.length);
