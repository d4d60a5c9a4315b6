import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { ordersList, ordersTotals } from '../../generated/client/orders/orders';
import { paymentMethodsList } from '../../generated/client/restaurants/restaurants';
import { readKey, useForget, useRead } from '../../lib/query';
import type { OrderRow } from '../order/model';
import { coalesced } from '../../lib/coalesced';
import { PAGE_SIZE } from '../../lib/crud/listProps';
import { useFormat } from '../../lib/format';
import { useStanding } from '../../lib/hooks';
import { counted } from '../../lib/http';
import { useLiveEvent } from '../../lib/live';
import { here } from '../../lib/target';
import { readOrder } from '../order/api';
import { bodyOf, type Filter, queryOf } from './filter';
import { begun, extended, newOf, pagesAfter, type Read, receive, replaced, type Rows } from './rows';

const listKey = (filter: Filter) => readKey('ordersList', bodyOf(filter));
/** How long a list that was left is there for who comes back. ms */
const KEPT_MS = 15 * 60_000;
/** The sums follow what happens, but not each single thing. ms */
const SUMS_MS = 3000;
/** Rows that are read again at once after a cut; those below are as they were until they are opened. */
const MOST_AGAIN = 200;

async function readPage(
  filter: Filter,
  page: number,
  limit = PAGE_SIZE,
  signal?: AbortSignal,
): Promise<Read> {
  const query = { ...queryOf(filter), view: 'row' as const, page, limit, count: true };
  const answer = await counted((options) => ordersList(...here(), query, options), {
    signal: signal ?? null,
  });
  return { ...answer, page };
}

const firstPage = (filter: Filter) => ({
  queryKey: listKey(filter),
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Rows> =>
    begun(await readPage(filter, 0, PAGE_SIZE, signal)),
});

/** Reads a list before it is shown. @throws ApiError what is wrong with the filter */
export const readList = (client: QueryClient, filter: Filter): Promise<Rows> =>
  client.fetchQuery({ ...firstPage(filter), staleTime: 0, gcTime: KEPT_MS });

const wasLongAgo = (readAt: number | undefined): boolean => Boolean(readAt) && Date.now() - readAt! > SUMS_MS;

/** The list of a filter, as far as it was read, kept fresh without moving. */
export function usePreviousOrders(filter: Filter) {
  const client = useQueryClient();
  const forget = useForget();
  const query = useQuery({
    ...firstPage(filter),
    placeholderData: keepPreviousData,
    // What is read again is put in place row by row.
    staleTime: Infinity,
    gcTime: KEPT_MS,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const list = useMemo(() => {
    const own = listKey(filter);
    const now = () => client.getQueryData<Rows>(own);
    const change = (how: (rows: Rows) => Rows) => client.setQueryData<Rows>(own, (rows) => rows && how(rows));
    const again = (limit: () => number) =>
      coalesced(async () => {
        if (!now()) return forget([own]);
        const read = await readPage(filter, 0, limit()).catch(() => undefined);
        if (read) change((rows) => receive(rows, read));
      });
    return {
      /** Whether it was read so long ago that something may have happened. */
      isOld: () => wasLongAgo(client.getQueryState(own)?.dataUpdatedAt),
      shows: (id: string) => now()?.orders.some((order) => order.id === id) ?? false,
      put: (order: OrderRow) => change((rows) => replaced(rows, order)),
      /** What is new at the top. */
      look: again(() => PAGE_SIZE),
      /** All that is shown. */
      refresh: again(() =>
        Math.min(MOST_AGAIN, Math.max(PAGE_SIZE, (now()?.orders.length ?? 0) + (now()?.waiting.size ?? 0))),
      ),
      more: async () => {
        const rows = now();
        if (!rows) return;
        const pages = await Promise.all(pagesAfter(rows).map((page) => readPage(filter, page)));
        change((known) => pages.reduce(extended, known));
      },
      /** From the beginning, with what waited. */
      anew: () => forget([own]),
    };
  }, [client, forget, filter]);
  const rows = query.data;
  return { query, rows, news: rows ? newOf(rows) : 0, ...list };
}

export type PreviousOrders = ReturnType<typeof usePreviousOrders>;

/**
 * Reads again what an event is about: its order where that is shown, and what is new at the top; after a cut all that
 * is shown.
 */
export function useLiveRows(list: PreviousOrders, onNews: () => void): void {
  const { isOld, shows, put, look, refresh } = list;
  const latest = useRef(onNews);
  latest.current = onNews;
  useLiveEvent('TASK_ORDERS_RELOAD', ({ order_id, replaces_id }) => {
    for (const id of [order_id, replaces_id]) if (id && shows(id)) readOrder(id).then(put, () => undefined);
    void look();
    latest.current();
  });
  const all = () => {
    void refresh();
    latest.current();
  };
  useLiveEvent('TASK_RELOAD', all);
  useLiveEvent('poll', all);
  useLiveEvent('live', ({ first }) => void (first ? look() : all()));
  // Who comes back to a list that was left finds the rows that were there, and what became of them.
  useEffect(() => {
    if (isOld()) void refresh();
  }, [isOld, refresh]);
}

/** The sums of what the filter finds, once the list is there. */
export function useTotals(filter: Filter, wanted: boolean) {
  const forget = useForget();
  const standing = useStanding();
  const body = bodyOf(filter);
  const own = useMemo(() => readKey('ordersTotals', bodyOf(filter)), [filter]);
  const query = useRead(own, ({ signal }) => ordersTotals(...here(), body, { signal }), {
    enabled: wanted && standing,
    staleTime: SUMS_MS,
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [own],
  );
  const readSoon = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void forget([own]);
    }, SUMS_MS);
  };
  return { query, readSoon };
}

/** The methods that may have been paid by, in the language of the page. */
export function useMethods() {
  const { language } = useFormat();
  const standing = useStanding();
  const query = useRead('paymentMethodsList', () => paymentMethodsList(...here()), {
    enabled: standing,
    staleTime: 600_000,
  });
  return useMemo(
    () =>
      (query.data ?? []).map(({ id, payment_key, name, name_en }) => ({
        id,
        key: payment_key,
        name: language === 'en' ? name_en : name,
      })),
    [query.data, language],
  );
}
