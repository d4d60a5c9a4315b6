import {
  CHANNELS,
  type Channel,
  type Inheritable,
  type NtakUnit,
  type Origin,
  type Tri,
  type Visible,
} from './types';

/** One level of the inheritance, with the name to show where the origin alone would not say which one. */
export interface Level<T = Inheritable> {
  origin: Origin | 'option_group';
  name?: string | undefined;
  /** Of the row, where the name leads to it. */
  id?: string | undefined;
  own: Partial<T>;
}

export interface Inherited<V> {
  value: V;
  /** Or the rule that holds where no level says anything. */
  origin: Level['origin'] | 'default' | 'own_vat';
  name?: string | undefined;
  id?: string | undefined;
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
  return {
    value: level?.own[field] ?? null,
    origin: level?.origin ?? 'restaurant',
    name: level?.name,
    id: level?.id,
  };
}

/** A channel: that a row is shown where no level says anything is set nowhere in the restaurant. */
export function inheritedChannel(above: readonly Level<Visible>[], channel: Channel): Inherited<Tri> {
  const from = inherited(above, channel);
  return from.origin === 'restaurant' ? { ...from, origin: 'default' } : from;
}

/** VAT when eaten here: where no level has one, the VAT that holds for the row holds here too. */
export function inheritedSitIn(above: readonly Level[], vat: string | null): Inherited<string | null> {
  const from = inherited(above, 'sit_in_vat_id');
  return from.value === null ? { value: vat ?? inherited(above, 'vat_id').value, origin: 'own_vat' } : from;
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
  categories: ReadonlyMap<string, { id: string; name: string; parent_id: string | null } & Inheritable>,
  id: string | null | undefined,
): Level[] {
  const [category, parent] = chainOf(categories, id);
  return [
    ...(category ? [levelOf('category', category)] : []),
    ...(parent ? [levelOf('parent_category', parent)] : []),
  ];
}

/** A row as a level of those below it. */
export const levelOf = <T>(
  origin: Level['origin'],
  row: { id: string; name: string } & Partial<T>,
): Level<T> => ({ origin, name: row.name, id: row.id, own: row });

/** A category and the one above it, nearest first. */
export function chainOf<C extends { parent_id: string | null }>(
  categories: ReadonlyMap<string, C>,
  id: string | null | undefined,
): C[] {
  const category = id ? categories.get(id) : undefined;
  const parent = category?.parent_id ? categories.get(category.parent_id) : undefined;
  return [category, parent].filter((one) => one !== undefined);
}

/** Channels on which a row is hidden although it is active. */
export const hiddenOn = (effective: Record<Channel, { value: boolean }>): Channel[] =>
  CHANNELS.filter((channel) => !effective[channel].value);

/** The same for rows without effective values (options and their groups). */
export const hiddenBy = (own: Visible, above?: Visible): Channel[] =>
  CHANNELS.filter((channel) => (own[channel] ?? above?.[channel] ?? true) === false);
