import { useMemo, useSyncExternalStore } from 'react';
import { Store } from '../../lib/events';
import { isUnderWay, type Work } from '../../lib/work';

/** Of more the oldest go: the tray shows a day. */
const MOST = 200;

/** Ids of works with the state in which they were seen; undefined on a device where the tray has never stood. */
type Seen = readonly string[] | undefined;

/** It goes with `pult.user.` at sign-out. */
const keyOf = (person: string) => `pult.user.${person}.works`;
const markOf = ({ id, state }: Work) => `${id} ${state}`;

function read(key: string): Seen {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return Array.isArray(stored) ? stored.map(String) : undefined;
  } catch {
    return undefined;
  }
}

const stores = new Map<string, Store<Seen>>();

function storeOf(person: string): Store<Seen> {
  const key = keyOf(person);
  const known = stores.get(person);
  if (known) return known;
  const store = new Store(read(key));
  stores.set(person, store);
  // Another tab of the same device follows.
  addEventListener('storage', (event) => event.key === key && store.set(read(key)));
  return store;
}

/** Which works have ended and were not looked at since, on this device. */
export function useSeen(person: string) {
  const store = storeOf(person);
  const seen = useSyncExternalStore(store.subscribe, store.get);
  return useMemo(
    () => ({
      /** False until something was stored: what ended before the first visit is no news. */
      known: seen !== undefined,
      isNews: (work: Work) => seen !== undefined && !isUnderWay(work) && !seen.includes(markOf(work)),
      look: (works: readonly Work[]) => {
        const before = store.get();
        const news = works.filter((work) => !isUnderWay(work)).map(markOf);
        const added = news.filter((mark) => !before?.includes(mark));
        if (before && added.length === 0) return;
        store.set([...(before ?? []), ...added].slice(-MOST));
        try {
          localStorage.setItem(keyOf(person), JSON.stringify(store.get()));
        } catch {
          // Without room it holds for this page.
        }
      },
    }),
    [person, seen, store],
  );
}
