import { useMemo, useSyncExternalStore } from 'react';
import { Store } from '../../../lib/events';
import type { OrderRow } from '../model';

/** Which changes somebody has looked at on this device: orders by id, with the time of the change. Nothing personal. */
type Seen = Readonly<Record<string, string>>;

const KEY = 'pult.orders.changes_seen';
/** Of more the oldest go: boards show orders of a day. */
const MOST = 300;

function read(): Seen {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Seen;
  } catch {
    return {};
  }
}

const store = new Store<Seen>(read());
// Another tab of the same device follows.
addEventListener('storage', (event) => event.key === KEY && store.set(read()));

type Changed = Pick<OrderRow, 'id' | 'changed_at'>;

/** What was changed by other items, beside what was changed since. */
export const itemsOf = ({
  id,
  replaces_id,
  created_at,
}: Pick<OrderRow, 'id' | 'replaces_id' | 'created_at'>): Changed => ({
  id: `${id} items`,
  changed_at: replaces_id ? created_at : null,
});

/** Says that somebody has looked at what was changed. */
export function lookAt({ id, changed_at }: Changed): void {
  if (!changed_at || store.get()[id] === changed_at) return;
  const { [id]: _, ...others } = store.get();
  store.set(Object.fromEntries([...Object.entries(others), [id, changed_at]].slice(-MOST)));
  try {
    localStorage.setItem(KEY, JSON.stringify(store.get()));
  } catch {
    // Without room it holds for this page.
  }
}

/** Whether an order was changed and nobody has looked at it on this device. */
export function useIsNews({ id, changed_at }: Changed): boolean {
  const seen = useSyncExternalStore(store.subscribe, store.get);
  return useMemo(() => Boolean(changed_at) && seen[id] !== changed_at, [seen, id, changed_at]);
}
