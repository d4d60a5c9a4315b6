import { keepPreviousData } from '@tanstack/react-query';
import { useRef } from 'react';
import { ordersReplace } from '../../../generated/client/orders/orders';
import type { Order, OrderItemsChange, OrderReplacement } from '../../../generated/model';
import { useDebounced } from '../../../lib/hooks';
import { retryOnce } from '../../../lib/http';
import { readKey, useRead } from '../../../lib/query';
import { here } from '../../../lib/target';
import { pinned } from '../../order/api';
import type { RunningQuote } from '../../order-taking/useQuote';

/** Changes the items; answers the order that takes its place. @throws ApiError ORDER_STATE_CHANGED, PIN_INVALID, … */
export const replaceOrder = (id: string, body: OrderItemsChange, key: string, pin: string): Promise<Order> =>
  ordersReplace(...here(), id, body, undefined, { 'Idempotency-Key': key, ...pinned(pin) });

/** A change is priced when nothing has changed for so long. ms */
const PAUSE_MS = 350;

/** What the order would cost, running along with what is tapped. An old price is marked while the new one comes. */
export function useItemsQuote(id: string, body: OrderItemsChange): RunningQuote {
  const text = body.items.length > 0 ? JSON.stringify(body) : '';
  const still = useDebounced(text, PAUSE_MS);
  const query = useRead<OrderReplacement>(
    readKey('ordersReplace', id, still),
    () => ordersReplace(...here(), id, JSON.parse(still) as OrderItemsChange, { dry_run: true }),
    {
      enabled: still !== '' && text !== '',
      placeholderData: keepPreviousData,
      gcTime: 0,
      staleTime: Infinity,
      retry: retryOnce,
      refetchOnWindowFocus: false,
    },
  );
  // A failed call has no placeholder: the price before it stays, marked as old.
  const last = useRef<OrderReplacement>(undefined);
  if (query.data) last.current = query.data;
  const current = text !== '' && text === still && query.isSuccess && !query.isPlaceholderData;
  return {
    quote: text === '' ? undefined : ((query.data ?? last.current)?.quote ?? undefined),
    stale: text !== '' && !current,
    error: text !== '' && text === still ? (query.error ?? undefined) : undefined,
    retry: () => void query.refetch(),
    adopt: () => void query.refetch(),
  };
}
