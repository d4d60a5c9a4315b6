import { keepPreviousData } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { ordersLater } from '../../generated/client/orders/orders';
import { coalesced } from '../../lib/coalesced';
import { useStanding } from '../../lib/hooks';
import { type Counted, counted } from '../../lib/http';
import { readKey, useForget, useRead } from '../../lib/query';
import { here } from '../../lib/target';
import type { OrderRow } from '../order/model';
import { useLiveReload } from '../order/useLiveReload';

const KEY = readKey('ordersLater');
/** An order joins the board by the clock, without an event. ms */
const CLOCK_MS = 60_000;
const STEP = 40;
const NOTHING = { rows: [], total: 0 };

/** Orders for later that the board does not show yet, soonest first, live. */
export function useLaterOrders() {
  const forget = useForget();
  // The board stands first.
  const enabled = useStanding();
  const limit = useRef(STEP);
  const [asking, setAsking] = useState(false);
  const { data } = useRead<Counted<OrderRow>>(
    KEY,
    ({ signal }) =>
      counted(
        (options) => ordersLater(...here(), { view: 'row', limit: limit.current, count: true }, options),
        { signal },
      ),
    {
      enabled,
      placeholderData: keepPreviousData,
      staleTime: 0,
      refetchInterval: CLOCK_MS,
    },
  );
  const reload = useMemo(() => coalesced(() => forget([KEY])), [forget]);
  useLiveReload(() => enabled && reload());
  const more = async () => {
    limit.current += STEP;
    setAsking(true);
    await reload();
    setAsking(false);
  };
  return { ...(data ?? NOTHING), asking, more: () => void more() };
}
