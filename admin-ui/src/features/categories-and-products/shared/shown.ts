import { useSyncExternalStore } from 'react';
import { Store } from '../../../lib/events';

/**
 * Which rows the catalogue's lists show; remembered in cookies as 1 or 0, both on at first.
 */
interface Shown {
  active: boolean;
  inactive: boolean;
}

const NAMES = { active: 'pult_show_active', inactive: 'pult_show_inactive' } as const;
const YEAR_S = 31_536_000;

const read = (name: string): boolean => !new RegExp(`(?:^|; )${name}=0`).test(document.cookie);

const store = new Store<Shown>({ active: read(NAMES.active), inactive: read(NAMES.inactive) });

export function setShown(change: Partial<Shown>): void {
  const next = { ...store.get(), ...change };
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  for (const which of ['active', 'inactive'] as const)
    document.cookie = `${NAMES[which]}=${next[which] ? 1 : 0}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax${secure}`;
  store.set(next);
}

export const useShown = (): Shown => useSyncExternalStore(store.subscribe, store.get);

export const isShown = (row: { active: boolean }, shown: Shown): boolean =>
  row.active ? shown.active : shown.inactive;
