import {
  ordersAccept,
  ordersArchive,
  ordersFresh,
  ordersGet,
  ordersPrepared,
  ordersStorno,
  ordersTakeBack,
} from '../../generated/client/orders/orders';
import type { PartialStorno } from '../../generated/model';
import { readClock, serverNow } from '../../lib/clock';
import { counted } from '../../lib/http';
import { here } from '../../lib/target';
import type { Order, OrderRow } from './model';
import { reasonBody } from './reasons';

/** Rows per page. */
const PAGE_SIZE = 40;
/** The cut-off is this long after now, so that an order of this very moment is not left out. */
const CUT_OFF_MS = 2000;

/** The lists of the board, each with pages of its own: many that wait push no accepted ones off. */
export const FRESH_LISTS = ['succeeded', 'processed'] as const;
export type FreshList = (typeof FRESH_LISTS)[number];
type PerList = Readonly<Record<FreshList, number>>;

export interface FreshOrders {
  orders: OrderRow[];
  /** How many there are of each list, read or not. */
  totals: PerList;
  /** The service's time when it was asked, ms. */
  at: number;
}

/** The first pages of each list, each order once: while one pages, new ones push the rest along. */
export async function readFresh(pages: PerList, signal?: AbortSignal, again = true): Promise<FreshOrders> {
  const at = serverNow();
  const till = new Date(at + CUT_OFF_MS).toISOString();
  let clockWasWrong = false;
  const onHeaders = (headers: Headers) => {
    clockWasWrong = readClock(headers) || clockWasWrong;
  };
  const read = (status: FreshList) =>
    Promise.all(
      Array.from({ length: pages[status] }, (_, page) => {
        const query = {
          view: 'row' as const,
          status,
          till,
          page,
          limit: PAGE_SIZE,
          ...(page === 0 && { count: true }),
        };
        return counted((options) => ordersFresh(...here(), query, options), {
          signal: signal ?? null,
          onHeaders,
        });
      }),
    );
  const [succeeded, processed] = await Promise.all([read('succeeded'), read('processed')]);
  // The service's clock is known now.
  if (clockWasWrong && again) return readFresh(pages, signal, false);
  return {
    orders: newest([...succeeded, ...processed].flatMap(({ rows }) => rows)),
    totals: { succeeded: succeeded[0]!.total, processed: processed[0]!.total },
    at,
  };
}

/** Each order once. What was accepted or taken back between two readings is in both, and the later one holds. */
function newest(orders: readonly OrderRow[]): OrderRow[] {
  const found = new Map<string, OrderRow>();
  for (const order of orders) {
    const other = found.get(order.id);
    if (!other || other.version < order.version) found.set(order.id, order);
  }
  return [...found.values()];
}

export const readOrder = (id: string, signal?: AbortSignal): Promise<Order> =>
  ordersGet(...here(), id, { signal: signal ?? null, onHeaders: readClock });

/** The whole order of a row; it is read where the list had the row alone. */
export const wholeOrder = async (order: OrderRow): Promise<Order> =>
  'lines' in order ? (order as Order) : readOrder(order.id);

/** @throws ApiError ORDER_STATE_CHANGED when somebody else was faster. */
export const acceptOrder = (id: string, minutes?: number): Promise<Order> =>
  ordersAccept(...here(), id, minutes === undefined ? {} : { delivery_time_minute: minutes });

/**
 * Not accepted any more. @throws ApiError ORDER_STATE_CHANGED when somebody else has done something with it
 * since.
 */
export const takeBackOrder = ({ id, version }: Pick<Order, 'id' | 'version'>): Promise<Order> =>
  ordersTakeBack(...here(), id, { version });

/** Ready, or (false) being made again. @throws ApiError ORDER_STATE_CHANGED when somebody else was faster. */
export const prepareOrder = (id: string, prepared: boolean): Promise<Order> =>
  ordersPrepared(...here(), id, { prepared });

/** The header of a call that somebody else allows. */
export const pinned = (pin: string | undefined): { 'X-Pin'?: string } => (pin ? { 'X-Pin': pin } : {});

/**
 * One-way; who may not needs the PIN of somebody who may. `reason` is a standard one or the id of one of the
 * restaurant's own. @throws ApiError ORDER_STATE_CHANGED when it is archived already, PIN_INVALID, 422 at `reason_id`
 * when the reason is not offered any more.
 */
export const archiveOrder = (id: string, reason: string, text?: string, pin?: string): Promise<Order> =>
  ordersArchive(
    ...here(),
    id,
    { ...reasonBody(reason), ...(text ? { reason_text: text } : {}) },
    undefined,
    pinned(pin),
  );

/** Cancels pieces; answers the order. @throws ApiError ORDER_STATE_CHANGED, PIN_INVALID. */
export const stornoOrder = (
  id: string,
  body: PartialStorno,
  key: string,
  pin: string | undefined,
): Promise<Order> => ordersStorno(...here(), id, body, undefined, { 'Idempotency-Key': key, ...pinned(pin) });
