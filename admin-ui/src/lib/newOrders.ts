import { useSyncExternalStore } from 'react';
import { Store } from './events';
import type { LiveEvents } from './live';

const ids = new Store<ReadonlySet<string>>(new Set());

/** Orders that came in since somebody last looked at the fresh orders. */
export const newOrders = {
  hear({ order_id, change }: LiveEvents['TASK_ORDERS_RELOAD']): void {
    const next = new Set(ids.get());
    if (change === 'created') next.add(order_id);
    else next.delete(order_id);
    if (next.size !== ids.get().size) ids.set(next);
  },
  clear(): void {
    if (ids.get().size > 0) ids.set(new Set());
  },
};

export const useNewOrderCount = (): number => useSyncExternalStore(ids.subscribe, ids.get).size;
