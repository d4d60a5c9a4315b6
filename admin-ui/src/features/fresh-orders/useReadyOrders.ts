import { useMemo } from 'react';
import { ordersReady } from '../../generated/client/orders/orders';
import { coalesced } from '../../lib/coalesced';
import { readKey, useForget, useRead } from '../../lib/query';
import { here } from '../../lib/target';
import type { OrderRow } from '../order/model';
import { useLiveReload } from '../order/useLiveReload';

const KEY = readKey('ordersReady');
/** After two hours an order leaves the list by the clock, without an event. */
const CLOCK_MS = 60_000;
/** What changes the list. */
const CHANGES: readonly string[] = ['prepared', 'recalled', 'archived'];

/** Orders that were called ready within the last two hours, live, latest first. */
export function useReadyOrders() {
  const forget = useForget();
  const query = useRead<OrderRow[]>(
    KEY,
    ({ signal }) => ordersReady(...here(), { view: 'row' }, { signal }),
    {
      staleTime: 0,
      refetchInterval: CLOCK_MS,
    },
  );
  const reload = useMemo(() => coalesced(() => forget([KEY])), [forget]);
  useLiveReload(reload, ({ change }) => CHANGES.includes(change));
  return { orders: query.data ?? [], reload };
}
