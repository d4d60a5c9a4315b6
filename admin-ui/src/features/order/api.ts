import {
  getOrdersFreshUrl,
  getOrdersGetUrl,
  ordersAccept,
  ordersArchive,
  ordersPrepared,
  ordersTakeBack,
} from '../../generated/client/orders/orders';
import { here } from '../../lib/target';
import { request } from '../../lib/http';
import type { ArchiveReason, Order } from './model';

/** Rows per page. */
export const PAGE_SIZE = 40;
/** The cut-off is this long after now, so that an order of this very moment is not left out. */
const CUT_OFF_MS = 2000;

/**
 * How far the service's clock is ahead of this device's. A tablet that runs slow would otherwise cut off new
 * orders.
 */
let skew = 0;
/** Below this a difference is only the way of the answer and the second that `Date` is rounded to. */
const SKEW_NOISE_MS = 3000;

/** The service's time. */
export const serverNow = (): number => Date.now() + skew;

/** @returns whether the clock was found to be off by more than noise just now. */
function readClock(headers: Headers): boolean {
  const date = Date.parse(headers.get('Date') ?? '');
  if (Number.isNaN(date)) return false;
  const measured = date + 500 - Date.now();
  const next = Math.abs(measured) < SKEW_NOISE_MS ? 0 : measured;
  const moved = Math.abs(next - skew) > SKEW_NOISE_MS;
  if (moved) skew = next;
  return moved;
}

export interface FreshOrders {
  orders: Order[];
  total: number;
  /** The service's time when it was asked, ms. */
  at: number;
}

/** The first `pages` pages, each order once: while one pages, new ones push the rest along. */
export async function readFresh(pages: number, signal?: AbortSignal, again = true): Promise<FreshOrders> {
  const at = serverNow();
  const till = new Date(at + CUT_OFF_MS).toISOString();
  const answers = await Promise.all(
    Array.from({ length: pages }, (_, page) =>
      request<Order[]>(
        getOrdersFreshUrl(...here(), { till, page, limit: PAGE_SIZE, ...(page === 0 && { count: true }) }),
        { signal: signal ?? null },
      ),
    ),
  );
  // The clock was wrong: repeats with the service's clock.
  if (answers.map((answer) => readClock(answer.headers)).some(Boolean) && again)
    return readFresh(pages, signal, false);
  const orders = [
    ...new Map(answers.flatMap((answer) => answer.data).map((order) => [order.id, order])).values(),
  ];
  return { orders, total: Number(answers[0]!.headers.get('X-Total-Count') ?? orders.length), at };
}

export async function readOrder(id: string, signal?: AbortSignal): Promise<Order> {
  const { data, headers } = await request<Order>(getOrdersGetUrl(...here(), id), { signal: signal ?? null });
  readClock(headers);
  return data;
}

/** @throws ApiError ORDER_STATE_CHANGED when somebody else was faster. */
export const acceptOrder = (id: string, minutes?: number): Promise<Order> =>
  ordersAccept(...here(), id, minutes === undefined ? {} : { delivery_time_minute: minutes });

/**
 * Not accepted any more. @throws ApiError ORDER_STATE_CHANGED when somebody else has done something with it
 * since.
 */
export const takeBackOrder = ({ id, version }: Order): Promise<Order> =>
  ordersTakeBack(...here(), id, { version });

/** Ready, or (false) being made again. @throws ApiError ORDER_STATE_CHANGED when somebody else was faster. */
export const prepareOrder = (id: string, prepared: boolean): Promise<Order> =>
  ordersPrepared(...here(), id, { prepared });

/** One-way. @throws ApiError ORDER_STATE_CHANGED when it is archived already. */
export const archiveOrder = (id: string, reason: ArchiveReason, text?: string): Promise<Order> =>
  ordersArchive(...here(), id, { reason, ...(text ? { reason_text: text } : {}) });
