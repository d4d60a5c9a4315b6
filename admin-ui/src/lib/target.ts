import { createContext, useContext } from 'react';
import type { Restaurant } from '../generated/model';
import { type BusyTime, estimateAt, useBusyOf } from './busy';
import { serverNow } from './clock';

/**
 * The restaurant of the page's address. Paths of calls are filled from it; nothing else decides for whom a
 * call is. Set by the shell before anything below it is rendered.
 */
let current: Restaurant | undefined;
let readAt = 0;

export function setTarget(restaurant: Restaurant | undefined): void {
  current = restaurant;
  readAt = Date.now();
}

/** The page's own restaurant counts as read just now for this long. ms */
const JUST_READ_MS = 5000;

/** When the service answered the restaurant of this page, if that was just now. */
export const justReadAt = (): number | undefined => (Date.now() - readAt < JUST_READ_MS ? readAt : undefined);

/** @throws when called outside a restaurant's page. */
export function target(): Restaurant {
  if (!current) throw new Error('no restaurant is chosen');
  return current;
}

/** Partner and restaurant of the page: the first two arguments of the generated functions. */
export const here = (): [partner: string, restaurant: string] => [target().partner_id, target().id];

/**
 * Fills `{partner_id}`, `{restaurant_id}`, `{restaurant_group_id}` from the target, anything else from
 * `params`.
 */
export function fillPath(path: string, params: Record<string, unknown> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = params[key] ?? scopeValue(key);
    if (value === undefined || value === null) throw new Error(`no value for {${key}} of ${path}`);
    return encodeURIComponent(String(value));
  });
}

function scopeValue(key: string): string | undefined {
  if (key === 'partner_id') return target().partner_id;
  if (key === 'restaurant_id') return target().id;
  if (key === 'restaurant_group_id') return target().restaurant_group_id;
  return undefined;
}

/** Where other systems call a restaurant with a key; what a call names stands behind it. */
export const callsAddress = ({ partner_id, id }: Pick<Restaurant, 'partner_id' | 'id'>): string =>
  `${location.origin}/api/v3/partners/${partner_id}/restaurants/${id}`;

export const RestaurantContext = createContext<Restaurant | undefined>(undefined);

/** Takes the restaurant that a saving call answered, so that the whole page shows it at once. */
export const RestaurantUpdate = createContext<(restaurant: Restaurant) => void>(() => undefined);
export const useRestaurantUpdate = (): ((restaurant: Restaurant) => void) => useContext(RestaurantUpdate);

/** The restaurant of this page, kept fresh by the live channel. */
export function useRestaurant(): Restaurant {
  const restaurant = useContext(RestaurantContext);
  if (!restaurant) throw new Error('useRestaurant outside a restaurant');
  return restaurant;
}

/** As `useRestaurant`, for what also stands outside every restaurant. */
export const useRestaurantIfAny = (): Restaurant | undefined => useContext(RestaurantContext);

/** Busy as it holds here now; what shows it is shown anew when it ends. */
export const useBusyTime = (): BusyTime | undefined => useBusyOf(useRestaurant());

/** Minutes that an order for now takes here, as things are. */
export function useEstimate(): number {
  const restaurant = useRestaurant();
  useBusyOf(restaurant);
  return estimateAt(restaurant, serverNow());
}

const KEY = 'pult.target';

/** The last restaurant chosen on this device, so that the next visit begins there. */
export const lastTarget = {
  read(): { partner_id: string; restaurant_id: string } | undefined {
    try {
      return JSON.parse(localStorage.getItem(KEY) ?? 'null') ?? undefined;
    } catch {
      return undefined;
    }
  },
  forget(): void {
    localStorage.removeItem(KEY);
  },
  write(value: { partner_id: string; restaurant_id: string }): void {
    localStorage.setItem(KEY, JSON.stringify(value));
  },
};
