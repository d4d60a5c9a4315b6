import { useEffect, useSyncExternalStore } from 'react';
import type { Me, RestaurantShort } from '../generated/model';
import { Store } from './events';
import { request } from './http';
import { session } from './session';

/** A restaurant one may switch to; super admins see whose it is. */
export type Choice = RestaurantShort & { partner_name?: string };

const PAGE = 200;
const all = new Store<Choice[] | undefined>(undefined);
let loading: Promise<Choice[]> | undefined;

/** The first page tells the total; the others come at once. */
async function everyPage(path: string): Promise<Choice[]> {
  const page = async (number: number) => request<Choice[]>(`${path}?limit=${PAGE}&page=${number}&count=true`);
  const first = await page(0);
  const total = Number(first.headers.get('X-Total-Count') ?? first.data.length);
  const rest = await Promise.all(Array.from({ length: Math.max(0, Math.ceil(total / PAGE) - 1) }, (_, i) => page(i + 1)));
  return [first, ...rest].flatMap((answer) => answer.data);
}

async function read(me: Me): Promise<Choice[]> {
  if (me.super_admin) return everyPage('/super-admin/restaurants');
  const partners = [...new Map(me.targets.map((t) => [t.partner_id, t.partner_name]))];
  const lists = await Promise.all(
    partners.map(async ([id, name]) => (await request<Choice[]>(`/admin/partners/${encodeURIComponent(id)}/restaurants`)).data.map((r) => ({ ...r, partner_name: name }))),
  );
  return lists.flat();
}

/** Every restaurant the account may open, read once per page load. */
export function loadRestaurants(): Promise<Choice[]> {
  const me = session.get();
  if (!me) return Promise.resolve([]);
  loading ??= read(me).then(
    (rows) => {
      const sorted = rows.sort((a, b) => a.name.localeCompare(b.name, 'hu'));
      all.set(sorted);
      return sorted;
    },
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

/** @param wanted false: only what is loaded already. Thousands of rows are not read before somebody looks for them. */
export function useRestaurants(wanted = true): Choice[] | undefined {
  useEffect(() => {
    if (wanted) void loadRestaurants().catch(() => undefined);
  }, [wanted]);
  return useSyncExternalStore(all.subscribe, all.get);
}
