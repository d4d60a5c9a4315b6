import { useContext, useSyncExternalStore } from 'react';
import type { PermissionKey } from '../generated/resources.gen';
import type { Me } from '../generated/model';
import { resourceInfo } from './resources';
import { session } from './session';
import { RestaurantContext } from './target';

/**
 * A key the service knows, a key that only counts for who acts for the whole partner (`user@partner`), or a
 * word: `super_admin`, `no_perm_required`, `full_target_access`.
 */
export type Permission = PermissionKey | 'super_admin' | 'no_perm_required' | (string & {});

const PARTNER_SUFFIX = '@partner';

const holds = (target: Me['targets'][number], key: string) =>
  key === 'full_target_access' ? target.full_target_access : target.permissions.includes(key);

/**
 * Whether any of the keys is granted at the place. The service sends grants expanded (parents, children, full
 * access), so this only looks them up; the service refuses on its own anyway.
 */
export function isAllowed(
  me: Me | null | undefined,
  place: { partner_id: string; id: string } | undefined,
  keys: readonly Permission[],
): boolean {
  if (!me) return false;
  if (keys.length === 0 || keys.includes('no_perm_required') || keys.includes('public')) return true;
  if (me.super_admin) return true;
  return me.targets.some(
    (t) =>
      place !== undefined &&
      t.partner_id === place.partner_id &&
      (!t.restaurant_ids || t.restaurant_ids.includes(place.id)) &&
      keys.some(
        (key) =>
          holds(t, key.replace(PARTNER_SUFFIX, '')) &&
          (t.target_type === 'Partner' || !key.endsWith(PARTNER_SUFFIX)),
      ),
  );
}

/** `const can = useCan(); can('catalog_edit')`, several keys: any is enough. */
export function useCan(): (...keys: Permission[]) => boolean {
  const me = useSyncExternalStore(session.subscribe, session.get);
  const restaurant = useContext(RestaurantContext);
  return (...keys) => isAllowed(me, restaurant, keys);
}

/**
 * Whether an operation of a resource may be called: `canDo('couriers', 'create')`. False when it does not
 * exist.
 */
export function useCanDo(): (resource: string, action: string) => boolean {
  const can = useCan();
  return (resource, action) => {
    const keys = resourceInfo(resource).ops[action];
    return keys !== undefined && can(...keys);
  };
}
