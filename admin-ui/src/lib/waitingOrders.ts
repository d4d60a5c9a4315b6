import { useMemo } from 'react';
import { ordersWaiting } from '../generated/client/orders/orders';
import type { WaitingOrders } from '../generated/model';
import { useCan } from './access';
import { coalesced } from './coalesced';
import { useStanding } from './hooks';
import { useLiveEvent, useLiveStatus } from './live';
import { readKey, useForget, useRead } from './query';
import { here, useRestaurantIfAny } from './target';

const KEY = readKey('ordersWaiting');
/** Preorders become due without an event, so the count is read this often. ms */
const CLOCK_MS = 60_000;

/**
 * The orders that wait to be accepted here: how many, and which ones nobody accepts; undefined while that is not
 * known, and for who may not read orders.
 */
export function useWaitingOrders(): WaitingOrders | undefined {
  const inside = useRestaurantIfAny() !== undefined;
  const may = useCan()('fresh_order');
  // The socket's first word would make it read again; and the page's own content goes before.
  const greeted = useLiveStatus().state !== 'connecting';
  const standing = useStanding();
  const { data } = useRead(KEY, ({ signal }) => ordersWaiting(...here(), { signal }), {
    enabled: inside && may && greeted && standing,
    refetchInterval: CLOCK_MS,
  });
  return data;
}

export const useWaitingCount = (): number | undefined => useWaitingOrders()?.count;

/**
 * Counts again after events of orders, after a cut, and while there is no connection. Once per page.
 */
export function useWaitingReload(): void {
  const forget = useForget();
  const may = useCan()('fresh_order');
  // A burst of orders costs two readings.
  // While the socket is not greeted nothing is read here, but as soon as it is.
  const read = useMemo(() => coalesced(() => forget([KEY])), [forget]);
  const reload = () => may && void read();
  useLiveEvent('TASK_ORDERS_RELOAD', reload);
  useLiveEvent('TASK_RELOAD', reload);
  useLiveEvent('poll', reload);
  useLiveEvent('live', reload);
}
