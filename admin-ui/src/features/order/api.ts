import { request } from '../../lib/http';
import { fillPath } from '../../lib/target';
import type { ArchiveReason, Order } from './model';

const PATH = '/admin/partners/{partner_id}/restaurants/{restaurant_id}/orders';

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
        `${fillPath(`${PATH}/fresh`)}?${new URLSearchParams({ till, page: String(page), limit: String(PAGE_SIZE), ...(page === 0 ? { count: 'true' } : {}) })}`,
        { signal: signal ?? null },
      ),
    ),
  );
  // Asked with a wrong clock: once more with the right one.
  if (answers.map((answer) => readClock(answer.headers)).some(Boolean) && again)
    return readFresh(pages, signal, false);
  const orders = [
    ...new Map(answers.flatMap((answer) => answer.data).map((order) => [order.id, order])).values(),
  ];
  return { orders, total: Number(answers[0]!.headers.get('X-Total-Count') ?? orders.length), at };
}

export async function readOrder(id: string, signal?: AbortSignal): Promise<Order> {
  const { data, headers } = await request<Order>(fillPath(`${PATH}/{id}`, { id }), {
    signal: signal ?? null,
  });
  readClock(headers);
  return data;
}

/** @throws ApiError ORDER_STATE_CHANGED when somebody else was faster. */
export const acceptOrder = async (id: string, minutes?: number): Promise<Order> =>
  (
    await request<Order>(fillPath(`${PATH}/{id}/accept`, { id }), {
      method: 'PUT',
      body: minutes === undefined ? {} : { delivery_time_minute: minutes },
    })
  ).data;

/**
 * Not accepted any more. @throws ApiError ORDER_STATE_CHANGED when somebody else has done something with it
 * since.
 */
export const takeBackOrder = async ({ id, version }: Order): Promise<Order> =>
  (await request<Order>(fillPath(`${PATH}/{id}/take-back`, { id }), { method: 'PUT', body: { version } }))
    .data;

/** Ready, or (false) being made again. @throws ApiError ORDER_STATE_CHANGED when somebody else was faster. */
export const prepareOrder = async (id: string, prepared: boolean): Promise<Order> =>
  (await request<Order>(fillPath(`${PATH}/{id}/prepared`, { id }), { method: 'PUT', body: { prepared } }))
    .data;

/** One-way. @throws ApiError ORDER_STATE_CHANGED when it is archived already. */
export const archiveOrder = async (id: string, reason: ArchiveReason, text?: string): Promise<Order> =>
  (
    await request<Order>(fillPath(`${PATH}/{id}/archive`, { id }), {
      method: 'PUT',
      body: { reason, ...(text ? { reason_text: text } : {}) },
    })
  ).data;
