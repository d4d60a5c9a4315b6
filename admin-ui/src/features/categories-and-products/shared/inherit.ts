import { CHANNELS, type Channel, type Inheritable, type NtakUnit, type Origin, type Visible } from './types';

/** One level of the inheritance, with the name to show where the origin alone would not say which one. */
export interface Level<T = Inheritable> {
  origin: Origin | 'option_group';
  name?: string | undefined;
  own: Partial<T>;
}

export interface Inherited<V> {
  value: V;
  origin: Level['origin'];
  name?: string | undefined;
}

/**
 * The value that would hold if the row said nothing: the nearest level above that says something. `above`
 * begins with the nearest level and ends with the restaurant.
 */
export function inherited<T extends object, K extends keyof T>(
  above: readonly Level<T>[],
  field: K,
): Inherited<T[K] | null> {
  const level = above.find((l) => l.own[field] !== null && l.own[field] !== undefined) ?? above.at(-1);
  return { value: level?.own[field] ?? null, origin: level?.origin ?? 'restaurant', name: level?.name };
}

/**
 * Where nobody says anything a row is shown; VAT is the restaurant's; the fee follows the restaurant's mode.
 */
export const restaurantLevel = (restaurant: {
  vat_id?: string | null;
  sit_in_vat_id?: string | null;
  ntak_category_id?: string | null;
  ntak_quantity_unit?: NtakUnit | null;
}): Level => ({
  origin: 'restaurant',
  own: {
    vat_id: restaurant.vat_id ?? null,
    sit_in_vat_id: restaurant.sit_in_vat_id ?? null,
    has_tip: null,
    ntak_category_id: restaurant.ntak_category_id ?? null,
    ntak_quantity_unit: restaurant.ntak_quantity_unit ?? null,
    ...SHOWN,
  },
});

export const SHOWN = Object.fromEntries(CHANNELS.map((channel) => [channel, true])) as Record<
  Channel,
  boolean
>;

/** The levels of a category and its parent, nearest first. */
export function categoryLevels(
  categories: ReadonlyMap<string, { name: string; parent_id: string | null } & Inheritable>,
  id: string | null | undefined,
): Level[] {
  const category = id ? categories.get(id) : undefined;
  const parent = category?.parent_id ? categories.get(category.parent_id) : undefined;
  return [
    ...(category ? [{ origin: 'category' as const, name: category.name, own: category }] : []),
    ...(parent ? [{ origin: 'parent_category' as const, name: parent.name, own: parent }] : []),
  ];
}

/** Channels on which a row is hidden although it is active. */
export const hiddenOn = (effective: Record<Channel, { value: boolean }>): Channel[] =>
  CHANNELS.filter((channel) => !effective[channel].value);

/** The same for rows without effective values (options and their groups). */
export const hiddenBy = (own: Visible, above?: Visible): Channel[] =>
  CHANNELS.filter((channel) => (own[channel] ?? above?.[channel] ?? true) === false);
