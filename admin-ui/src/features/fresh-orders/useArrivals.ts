import { useEffect, useState } from 'react';
import { useFormat } from '../../lib/format';
import type { OrderRow } from '../order/model';
import { useOrderWords } from '../order/parts';
import { useAlerts } from './alarm/useAlerts';

/** A card that just came is marked this long. ms */
const FRESH_MS = 6000;

/** Announces new orders, and marks their cards for some seconds. */
export function useArrivals() {
  const { money } = useFormat();
  const words = useOrderWords();
  const [justCame, setJustCame] = useState<ReadonlySet<string>>(new Set());
  // The cards themselves announce orders here; no popup covers the buttons.
  const { announceAll, spoken } = useAlerts({ popup: false });

  useEffect(() => {
    if (justCame.size === 0) return;
    const timer = setTimeout(() => setJustCame(new Set()), FRESH_MS);
    return () => clearTimeout(timer);
  }, [justCame]);

  const announce = (orders: OrderRow[]) => {
    setJustCame(new Set(orders.map((order) => order.id)));
    announceAll(
      orders.map((order) => ({
        id: order.id,
        text: [words.name(order), words.who(order), money(order.total_price)].join(' · '),
      })),
    );
  };
  return { announce, justCame, spoken };
}
