import { useMemo, useSyncExternalStore } from 'react';
import { Store } from '../../lib/events';
import { useMe } from '../../lib/me';

/** How this person wants to hear of orders on this device. */
export interface OrderSettings {
  sound: boolean;
  /** 0 to 1. */
  volume: number;
  popup: boolean;
  /** The order's number leads the card; otherwise the guest's name. */
  counter: boolean;
  /** Shortcuts of one letter. */
  keys: boolean;
}

export const DEFAULTS: OrderSettings = { sound: true, volume: 0.8, popup: true, counter: true, keys: true };

/** Kept at sign-out: it is about the device as much as about the person, and says nothing about anybody. */
const keyOf = (person: string) => `pult.orders.${person}`;

export function readSettings(person: string): OrderSettings {
  try {
    const stored = JSON.parse(localStorage.getItem(keyOf(person)) ?? '{}') as Partial<OrderSettings>;
    const settings = { ...DEFAULTS, ...stored };
    return { ...settings, volume: Math.min(1, Math.max(0, Number(settings.volume) || 0)) };
  } catch {
    return DEFAULTS;
  }
}

const stores = new Map<string, Store<OrderSettings>>();

function storeOf(person: string): Store<OrderSettings> {
  let store = stores.get(person);
  if (!store) {
    const made = new Store(readSettings(person));
    stores.set(person, (store = made));
    // Another tab of the same device follows.
    addEventListener('storage', (event) => event.key === keyOf(person) && made.set(readSettings(person)));
  }
  return store;
}

export function useOrderSettings(): [OrderSettings, (change: Partial<OrderSettings>) => void] {
  const { id } = useMe();
  const store = storeOf(id);
  const settings = useSyncExternalStore(store.subscribe, store.get);
  const change = useMemo(
    () => (part: Partial<OrderSettings>) => {
      store.set({ ...store.get(), ...part });
      localStorage.setItem(keyOf(id), JSON.stringify(store.get()));
    },
    [store, id],
  );
  return [settings, change];
}
