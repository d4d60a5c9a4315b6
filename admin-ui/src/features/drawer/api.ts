import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  drawerClosesCreate,
  drawerClosesGet,
  drawerClosesList,
  drawerGet,
  drawerMovementsCreate,
} from '../../generated/client/payments/payments';
import { couriersList } from '../../generated/client/people/people';
import type { Drawer, DrawerClose, NewDrawerClose, NewDrawerMovement } from '../../generated/model';
import { useCanDo } from '../../lib/access';
import { coalesced } from '../../lib/coalesced';
import { counted } from '../../lib/http';
import { readKey, useForget, useRead } from '../../lib/query';
import { here } from '../../lib/target';

import { readAsked, readWaiting, useMethodNames } from '../order/payments/api';
import { useLiveReload } from '../order/useLiveReload';

/** Closes that are read at once. */
const CLOSES = 20;
/** What is due by the clock is found without an event. ms */
const CLOCK_MS = 60_000;

const drawerKey = (courier: string | undefined) => readKey('drawerGet', courier ?? 'restaurant');

export const readDrawer = (courier: string | undefined, signal?: AbortSignal): Promise<Drawer> =>
  drawerGet(...here(), courier ? { courier_id: courier } : {}, { signal: signal ?? null });

/** @throws ApiError CONFLICT with `current` lines when it is not what was seen. */
export const closeDrawer = (body: NewDrawerClose, key: string): Promise<DrawerClose> =>
  drawerClosesCreate(...here(), body, { 'Idempotency-Key': key });

export const moveCash = (body: NewDrawerMovement, key: string) =>
  drawerMovementsCreate(...here(), body, { 'Idempotency-Key': key });

/** A drawer, live. */
export function useDrawer(courier: string | undefined) {
  const forget = useForget();
  const query = useRead(drawerKey(courier), ({ signal }) => readDrawer(courier, signal), {
    staleTime: 0,
    refetchInterval: CLOCK_MS,
  });
  const reload = useMemo(() => coalesced(() => forget([drawerKey(courier)])), [forget, courier]);
  useLiveReload(reload);
  return { query, reload };
}

/** Puts what was read beside the form into the cache. */
export function usePutDrawer(): (drawer: Drawer) => void {
  const client = useQueryClient();
  return (drawer) => void client.setQueryData(drawerKey(drawer.courier_id ?? undefined), drawer);
}

/** Money that waits in the whole restaurant, the newest of it with its order; read once there is some. */
export function useWaitingMoney(drawer: Drawer | undefined) {
  const { count: waits = 0 } = drawer?.waiting_payments ?? {};
  const { count: asked = 0 } = drawer?.asked_refunds ?? {};
  const { data } = useRead(
    readKey('paymentsList', 'of_drawer', waits, asked),
    async ({ signal }) => {
      const [waiting, toGive] = await Promise.all([readWaiting(signal), readAsked(signal)]);
      return { waiting: waiting.rows, asked: toGive.rows };
    },
    {
      enabled: waits + asked > 0,
      placeholderData: keepPreviousData,
      staleTime: 0,
    },
  );
  return data ?? { waiting: [], asked: [] };
}

/** Earlier closes, the newest first; of a courier where one is chosen. */
export function useCloses(courier: string | undefined) {
  return useInfiniteQuery({
    queryKey: readKey('drawerClosesList', courier ?? 'all'),
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      counted(
        (options) =>
          drawerClosesList(
            ...here(),
            { page: pageParam, limit: CLOSES, count: true, ...(courier ? { courier_id: courier } : {}) },
            options,
          ),
        { signal },
      ),
    getNextPageParam: (last, pages) =>
      last.rows.length > 0 && pages.reduce((sum, { rows }) => sum + rows.length, 0) < last.total
        ? pages.length
        : undefined,
    staleTime: 0,
  });
}

/** A close never changes, but what it had as assumed may be corrected. */
export const useClose = (id: string) =>
  useRead(readKey('drawerClosesGet', id), ({ signal }) => drawerClosesGet(...here(), id, { signal }), {
    staleTime: 0,
  });

/** The couriers by name, as far as one may read them; those who hold money are always there. */
export function useCouriers(drawer: Drawer | undefined): { id: string; name: string }[] {
  const may = useCanDo()('couriers', 'list');
  const { data } = useRead('couriersList', ({ signal }) => couriersList(...here(), {}, { signal }), {
    enabled: may,
    staleTime: CLOCK_MS,
  });
  return useMemo(() => {
    const names = new Map<string, string>();
    for (const { id, name, active } of data ?? []) if (active) names.set(id, name);
    for (const { courier_id, name } of drawer?.couriers ?? []) names.set(courier_id, name);
    const collator = new Intl.Collator('hu');
    return [...names]
      .map(([id, name]) => ({ id, name }))
      .toSorted((a, b) => collator.compare(a.name, b.name));
  }, [data, drawer]);
}

/** `Készpénz`, or the key while the names are not there. */
export function useMethodName(): (key: string) => string {
  const name = useMethodNames(true);
  return (key) => name(key) || key;
}
