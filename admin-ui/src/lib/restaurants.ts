import { useEffect, useState, useSyncExternalStore } from 'react';
import { platformRestaurantsList, restaurantsList } from '../generated/client/restaurants/restaurants';
import type { Me, RestaurantShort } from '../generated/model';
import { Store } from './events';
import { useDebounced, useStanding } from './hooks';
import { ApiError, counted } from './http';
import { useMe } from './me';
import { session } from './session';

/** A restaurant to switch to, with its partner for super admins. */
export type Choice = RestaurantShort & { partner_name?: string };

/**
 * Restaurants that the service answers at once of those that super admins search; more letters find the rest.
 */
const MAX_HITS = 50;
const all = new Store<Choice[] | undefined>(undefined);
let loading: Promise<Choice[]> | undefined;

/** The most restaurants of a partner that one answer holds. */
const MAX_ROWS = 2_000;

/** Why a company cannot be entered while the account's others can. */
const PARTNER_CLOSED_CODES = ['PARTNER_SUSPENDED', 'PARTNER_IN_MAINTENANCE'];

/** Those of every company that can be entered; the reason when none can. */
async function read(me: Me): Promise<Choice[]> {
  const partners = [...new Map(me.targets.map((t) => [t.partner_id, t.partner_name]))];
  const page = (id: string, number: number) =>
    counted((options) => restaurantsList(id, { limit: MAX_ROWS, page: number, count: true }, options));
  const lists = await Promise.allSettled(
    partners.map(async ([id, name]) => {
      const first = await page(id, 0);
      const pages = Math.ceil(first.total / MAX_ROWS);
      const rest = await Promise.all(
        Array.from({ length: Math.max(0, pages - 1) }, (_, number) => page(id, number + 1)),
      );
      return [first, ...rest].flatMap(({ rows }) => rows).map((r) => ({ ...r, partner_name: name }));
    }),
  );
  const open = lists.filter((list) => list.status === 'fulfilled');
  const failed = lists.find(
    (list) =>
      list.status === 'rejected' &&
      (open.length === 0 ||
        !(list.reason instanceof ApiError && PARTNER_CLOSED_CODES.includes(list.reason.code))),
  );
  if (failed?.status === 'rejected') throw failed.reason;
  return open.flatMap((list) => list.value);
}

/**
 * Every restaurant that the account may enter, read once per page load. Super admins, who may open all there
 * are, search instead.
 */
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

/** Restaurants have come or gone: whoever shows the list reads it again. */
export function forgetRestaurants(): void {
  const known = loading !== undefined;
  loading = undefined;
  if (known) void loadRestaurants().catch(() => undefined);
}

/** One restaurant of the platform, for super admins: whose it is. */
export const findRestaurant = async (id: string): Promise<Choice | undefined> =>
  (await platformRestaurantsList({ limit: 1, id }))[0];

interface Found {
  /** Undefined while they are not there yet. */
  rows: Choice[] | undefined;
  /** The service has searched: what is there fits the words. */
  searched: boolean;
}

/**
 * Restaurants to choose from. Super admins' are searched by the service, all others' are read whole and
 * searched here.
 * @param wanted false: nothing is read. Thousands of rows are not read before somebody looks for them.
 */
export function useRestaurants(text: string, wanted: boolean): Found {
  const { super_admin: searched } = useMe();
  const [found, setFound] = useState<Choice[]>();
  const words = useDebounced(text.trim(), 250);
  useEffect(() => {
    if (!wanted) return;
    if (!searched) return void loadRestaurants().catch(() => undefined);
    let stale = false;
    platformRestaurantsList({ limit: MAX_HITS, name: words }).then(
      (rows) => stale || setFound(rows),
      () => undefined,
    );
    return () => {
      stale = true;
    };
  }, [wanted, searched, words]);
  const whole = useSyncExternalStore(all.subscribe, all.get);
  return { rows: searched ? found : whole, searched };
}

/**
 * Whether the account has just one restaurant, so that there is nothing to choose; asks without reading the
 * list, once the page stands.
 */
export function useOnlyRestaurant(): boolean {
  const { super_admin, targets } = useMe();
  const target = super_admin || targets.length !== 1 ? undefined : targets[0]!;
  const [count, setCount] = useState<number>();
  const partner = target && !target.restaurant_ids ? target.partner_id : undefined;
  const standing = useStanding();
  useEffect(() => {
    if (partner && standing)
      counted((options) => restaurantsList(partner, { limit: 1, count: true }, options)).then(
        ({ total }) => setCount(total),
        () => undefined,
      );
  }, [partner, standing]);
  return (target?.restaurant_ids?.length ?? (partner && count)) === 1;
}
