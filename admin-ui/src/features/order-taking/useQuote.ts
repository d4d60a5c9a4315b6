import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ordersQuote } from '../../generated/client/public/public';
import type { Cart, Quote } from '../../generated/model';
import { useDebounced } from '../../lib/hooks';
import { retryOnce } from '../../lib/http';
import { readKey, useRead } from '../../lib/query';
import { here } from '../../lib/target';

/** A cart is priced when nothing has changed for so long. ms */
const PAUSE_MS = 350;

const keyOf = (text: string) => readKey('ordersQuote', text);

export interface RunningQuote {
  /** The newest price; that of an earlier cart while `stale`. */
  quote: Quote | undefined;
  /** The cart has changed since: the price is under way. */
  stale: boolean;
  error: unknown;
  retry: () => void;
  /** Takes a price that a refusal of the order brought. */
  adopt: (quote: Quote) => void;
}

/** The price of a cart, always anew: the last answer wins, and an old one is marked. None of an empty cart. */
export function useQuote(cart: Cart | undefined): RunningQuote {
  const client = useQueryClient();
  const text = cart ? JSON.stringify(cart) : '';
  const still = useDebounced(text, PAUSE_MS);
  const query = useRead(keyOf(still), () => ordersQuote(...here(), JSON.parse(still) as Cart), {
    enabled: still !== '' && text !== '',
    placeholderData: keepPreviousData,
    // The cart has the guest's address.
    gcTime: 0,
    staleTime: Infinity,
    retry: retryOnce,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  // A failed call has no placeholder: the price before it stays, marked as old.
  const last = useRef<Quote>(undefined);
  if (query.data) last.current = query.data;
  if (text === '') last.current = undefined;
  const current = text !== '' && text === still && query.isSuccess && !query.isPlaceholderData;
  return {
    quote: text === '' ? undefined : (query.data ?? last.current),
    stale: text !== '' && !current,
    error: text !== '' && text === still ? (query.error ?? undefined) : undefined,
    retry: () => void query.refetch(),
    adopt: (quote) => client.setQueryData(keyOf(text), quote),
  };
}
