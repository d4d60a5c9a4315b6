import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { coalesced } from '../../lib/coalesced';
import { useLiveEvent } from '../../lib/live';
import { readKey, useForget, useRead } from '../../lib/query';
import { type FreshList, type FreshOrders, readFresh } from '../order/api';
import type { OrderRow } from '../order/model';
import { useLiveReload } from '../order/useLiveReload';
import { type Board, called, EMPTY, inList, put, receive, release, split } from './board';

const KEY = readKey('ordersFresh');
/** Preorders appear by the clock, without an event. */
const CLOCK_MS = 60_000;
const FIRST_PAGES = { succeeded: 1, processed: 1 };
const NONE = { succeeded: 0, processed: 0 };

interface Options {
  /** The user scrolls or edits: new orders wait. */
  holding: boolean;
  onArrivals: (orders: OrderRow[]) => void;
}

/**
 * The fresh orders, live: read again on each event, after a cut, every 15 s while the connection is down, and
 * by the clock. What is shown moves only as `holding` allows; accepted and archived ones change in place at
 * once.
 */
export function useFreshOrders({ holding, onArrivals }: Options) {
  const client = useQueryClient();
  const forget = useForget();
  const [pages, setPages] = useState(FIRST_PAGES);
  const wanted = useRef(FIRST_PAGES);
  const query = useRead<FreshOrders>(KEY, ({ signal }) => readFresh(wanted.current, signal), {
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: CLOCK_MS,
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: 'always',
  });
  const { data } = query;

  const reload = useMemo(() => coalesced(() => forget([KEY])), [forget]);
  useLiveReload(reload);

  const [board, setBoard] = useState<Board>(EMPTY);
  const held = holding || pages.succeeded > 1;
  const latest = useRef({ held, onArrivals });
  latest.current = { held, onArrivals };
  const current = useRef(board);
  useEffect(() => {
    if (!data || data.at === current.current.at) return;
    const next = receive(current.current, data, latest.current.held);
    current.current = next.board;
    setBoard(next.board);
    if (next.arrivals.length > 0) latest.current.onArrivals(next.arrivals);
  }, [data]);

  const releaseHeld = useCallback(() => {
    current.current = release(current.current);
    setBoard(current.current);
  }, []);
  // At the top without scrolling or dialogs: held orders are shown.
  useEffect(() => {
    if (!held) releaseHeld();
  }, [held, releaseHeld]);

  const turn = (list: FreshList, number: number) => {
    wanted.current = { ...wanted.current, [list]: number };
    setPages(wanted.current);
    void reload();
  };

  const orders = data?.orders;
  // Orders that the effect above has not looked at yet are not shown for a moment only to be held back.
  const lists = useMemo(() => {
    const unseen =
      held && board.known
        ? (orders ?? []).filter((order) => !board.known!.has(order.id)).map((order) => order.id)
        : [];
    return split(orders ?? [], new Set([...board.held, ...unseen]));
  }, [orders, board, held]);
  const totals = data?.totals ?? NONE;
  const waiting = useWaiting(orders ?? [], totals.succeeded);
  const progress = (list: FreshList): Progress => {
    const loaded = inList(orders ?? [], list);
    return {
      loaded,
      total: totals[list],
      more: totals[list] > loaded,
      load: () => turn(list, pages[list] + 1),
    };
  };

  return {
    ...lists,
    waiting,
    heldCount: board.held.size,
    loading: query.isPending,
    error: query.error,
    failed: query.isError,
    empty: orders?.length === 0,
    loaded: orders?.length ?? 0,
    /** How far each list was read. */
    progress: { succeeded: progress('succeeded'), processed: progress('processed') },
    fetching: query.isFetching,
    reload,
    find: (id: string) => orders?.find((order) => order.id === id),
    /** Shows what waited, on the first page. */
    loadNew: () => {
      releaseHeld();
      if (pages.succeeded > 1) turn('succeeded', 1);
    },
    put: (order: OrderRow) => client.setQueryData<FreshOrders>(KEY, (old) => old && put(old, order)),
  };
}

/** How far a list was read. */
export interface Progress {
  /** Orders that were read, also those that are not shown. */
  loaded: number;
  /** Orders of all pages. */
  total: number;
  more: boolean;
  /** Reads another page. */
  load: () => void;
}

export type FreshOrderLists = ReturnType<typeof useFreshOrders>;

/**
 * All that wait, also those held back and those beyond the pages that were read: the bell does not care where
 * one has scrolled. `total` counts all that wait, read or not.
 */
function useWaiting(orders: readonly OrderRow[], total: number): ReadonlySet<string> {
  const [calls, setCalls] = useState<ReadonlySet<string>>(new Set());
  useLiveEvent('TASK_ORDERS_RELOAD', (event) => setCalls((before) => called(before, event)));
  useLiveEvent('TASK_RELOAD', () => setCalls(new Set()));
  const read = orders.filter((order) => order.status === 'succeeded');
  const key = [...new Set([...read.map((order) => order.id), ...(total <= read.length ? [] : calls)])].join();
  return useMemo(() => new Set(key ? key.split(',') : []), [key]);
}
