import { isAccepted, isUnaccepted, type Order } from '../order/model';

/**
 * What the board remembers between two readings of the list. Which orders are new is seen from the data, not from
 * events: so one that came while the connection was down, or a preorder whose time has come, rings like any other.
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
 * An order that becomes visible only because a page was loaded or another one left is old. It is new when the kitchen
 * should see it since about the last reading; the minute is for orders whose transaction took its time.
 */
const SINCE_MS = 60_000;

export interface Reading {
  orders: readonly Order[];
  at: number;
}

/** Takes a reading in. `arrivals` are to be announced, oldest first. */
export function receive(board: Board, { orders, at }: Reading, holding: boolean): { board: Board; arrivals: Order[] } {
  const waiting = new Set(orders.filter(isUnaccepted).map((order) => order.id));
  const arrivals = board.known
    ? orders.filter((order) => waiting.has(order.id) && !board.known!.has(order.id) && new Date(order.show_at).getTime() >= board.at - SINCE_MS)
    : [];
  const stillHeld = [...board.held].filter((id) => waiting.has(id));
  const held = holding ? new Set([...stillHeld, ...arrivals.map((order) => order.id)]) : new Set<string>();
  return {
    board: { known: new Set([...(board.known ?? []), ...orders.map((order) => order.id)]), held, at },
    arrivals: arrivals.toSorted(byAge),
  };
}

export const release = (board: Board): Board => (board.held.size === 0 ? board : { ...board, held: new Set() });

const time = (instant: string) => new Date(instant).getTime();
const byAge = (a: Order, b: Order) => time(a.show_at) - time(b.show_at) || time(a.created_at) - time(b.created_at) || (a.id < b.id ? -1 : 1);

/** The two lists: who waits longest comes first, what was accepted last comes first. */
export function split(orders: readonly Order[], held: ReadonlySet<string>): { unaccepted: Order[]; accepted: Order[] } {
  return {
    unaccepted: orders.filter((order) => isUnaccepted(order) && !held.has(order.id)).toSorted(byAge),
    accepted: orders
      .filter((order) => order.status === 'processed' && !order.archived_at)
      .toSorted((a, b) => time(b.accepted_at ?? b.created_at) - time(a.accepted_at ?? a.created_at)),
  };
}

/** What is ready is not fresh any more. */
const isFresh = (order: Order): boolean => isUnaccepted(order) || isAccepted(order);

/** A row that a call answered, in the place of the one that was read. */
export const replace = (orders: readonly Order[], changed: Order): Order[] =>
  orders.flatMap((order) => (order.id !== changed.id ? [order] : changed.archived_at || !isFresh(changed) ? [] : [changed]));

/**
 * Runs `task` at most once at a time; calls that come meanwhile are one more run afterwards. A burst of events costs
 * two readings, and the last one is never older than the last event.
 */
export function coalesced(task: () => Promise<unknown>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let again = false;
  return () => {
    if (running) {
      again = true;
      return running;
    }
    running = (async () => {
      try {
        do {
          again = false;
          await task();
        } while (again);
      } finally {
        running = undefined;
      }
    })();
    return running;
  };
}
