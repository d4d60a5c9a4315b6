import type { LiveEvents } from '../../lib/live';
import { FRESH_LISTS, type FreshList, type FreshOrders } from '../order/api';
import { isAccepted, isUnaccepted, type OrderRow, shownAt } from '../order/model';

/**
 * What the board remembers between two readings of the list. Which orders are new is seen from the data, not
 * from events: so one that came while the connection was down, or a preorder whose time has come, rings like
 * any other.
 */
export interface Board {
  /** Every order seen so far; undefined before the first reading. */
  known: ReadonlySet<string> | undefined;
  /** New ones that wait behind "load new orders", so that nothing moves under the user's hands. */
  held: ReadonlySet<string>;
  /** The service's time of the last reading, ms. */
  at: number;
}

export const EMPTY: Board = { known: undefined, held: new Set(), at: 0 };

/**
 * An order that becomes visible only because a page was loaded or another one left is old. It is new when the
 * kitchen should see it since about the last reading; the minute is for orders whose transaction took its
 * time.
 */
const SINCE_MS = 60_000;

interface Reading {
  orders: readonly OrderRow[];
  at: number;
}

/** Takes a reading in. `arrivals` are to be announced, oldest first. */
export function receive(
  board: Board,
  { orders, at }: Reading,
  holding: boolean,
): { board: Board; arrivals: OrderRow[] } {
  const waiting = new Set(orders.filter(isUnaccepted).map((order) => order.id));
  const arrivals = board.known
    ? orders.filter(
        (order) =>
          waiting.has(order.id) &&
          !board.known!.has(order.id) &&
          // What other items were said for waits on; nobody is called again.
          !(order.replaces_id && board.known!.has(order.replaces_id)) &&
          new Date(shownAt(order)).getTime() >= board.at - SINCE_MS,
      )
    : [];
  const stillHeld = [...board.held].filter((id) => waiting.has(id));
  const held = holding ? new Set([...stillHeld, ...arrivals.map((order) => order.id)]) : new Set<string>();
  return {
    board: { known: new Set([...(board.known ?? []), ...orders.map((order) => order.id)]), held, at },
    arrivals: arrivals.toSorted(byAge),
  };
}

export const release = (board: Board): Board =>
  board.held.size === 0 ? board : { ...board, held: new Set() };

const time = (instant: string) => new Date(instant).getTime();
const byAge = (a: OrderRow, b: OrderRow) =>
  time(shownAt(a)) - time(shownAt(b)) || time(a.created_at) - time(b.created_at) || (a.id < b.id ? -1 : 1);

type OrderEvent = LiveEvents['TASK_ORDERS_RELOAD'];

/** Whether staff must be alerted: an order came that waits to be accepted, or a preorder became due. */
export const isCall = ({ change, due, status }: OrderEvent): boolean =>
  change === 'due' || (change === 'created' && due !== false && status === 'succeeded');

/**
 * Orders that were called and wait. The first page holds those that wait longest: with more than fit on it, a
 * new one is known by the service's word alone.
 */
export function called(before: ReadonlySet<string>, event: OrderEvent): ReadonlySet<string> {
  if (event.replaces_id && before.has(event.replaces_id)) {
    const others = new Set(before);
    others.delete(event.replaces_id);
    return event.status === 'succeeded' ? others.add(event.order_id) : others;
  }
  const waits = isCall(event) && event.status === 'succeeded';
  if (waits === before.has(event.order_id)) return before;
  const next = new Set(before);
  if (waits) next.add(event.order_id);
  else next.delete(event.order_id);
  return next;
}

/** The two lists: longest waiting first; latest accepted first. */
export function split(
  orders: readonly OrderRow[],
  held: ReadonlySet<string>,
): { unaccepted: OrderRow[]; accepted: OrderRow[] } {
  return {
    unaccepted: orders.filter((order) => isUnaccepted(order) && !held.has(order.id)).toSorted(byAge),
    accepted: orders
      .filter((order) => order.status === 'processed' && !order.archived_at)
      .toSorted((a, b) => time(b.accepted_at ?? b.created_at) - time(a.accepted_at ?? a.created_at)),
  };
}

/** A ready order leaves the board. */
const isFresh = (order: OrderRow): boolean => isUnaccepted(order) || isAccepted(order);

/** A row that a call answered, in the place of the one that was read. */
export const replace = (orders: readonly OrderRow[], changed: OrderRow): OrderRow[] =>
  orders.flatMap((order) =>
    order.id !== changed.id ? [order] : changed.archived_at || !isFresh(changed) ? [] : [changed],
  );

/** So many of a list were read. */
export const inList = (orders: readonly OrderRow[], list: FreshList): number =>
  orders.filter((order) => order.status === list).length;

/** A reading with a row that a call answered. The lists' sizes follow, so that no "more" appears for a moment. */
export function put(reading: FreshOrders, changed: OrderRow): FreshOrders {
  const orders = replace(reading.orders, changed);
  const total = (list: FreshList) =>
    reading.totals[list] + inList(orders, list) - inList(reading.orders, list);
  const [succeeded, processed] = FRESH_LISTS.map(total) as [number, number];
  return { ...reading, orders, totals: { succeeded, processed } };
}
