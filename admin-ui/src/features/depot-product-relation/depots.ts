import type { CategoryDepot, DepotOrigin, DepotShort } from '../../generated/model';

/** What a row gets that says nothing itself, and from where. */
export interface Inherited {
  depot: string | null;
  origin: Exclude<DepotOrigin, 'product'>;
}

const ofGroup = (depots: readonly DepotShort[]): Inherited => ({
  depot: depots[0]?.id ?? null,
  origin: 'group',
});

/** What a category gets from the one above it, else from the group. */
export function aboveCategory(
  row: CategoryDepot,
  categories: ReadonlyMap<string, CategoryDepot>,
  depots: readonly DepotShort[],
): Inherited {
  const parent = row.parent_id ? categories.get(row.parent_id) : undefined;
  return parent?.depot_id ? { depot: parent.depot_id, origin: 'parent_category' } : ofGroup(depots);
}

/** What a product gets from its category. */
export function aboveProduct(
  category: CategoryDepot | undefined,
  categories: ReadonlyMap<string, CategoryDepot>,
  depots: readonly DepotShort[],
): Inherited {
  if (!category) return ofGroup(depots);
  return category.depot_id
    ? { depot: category.depot_id, origin: 'category' }
    : aboveCategory(category, categories, depots);
}
