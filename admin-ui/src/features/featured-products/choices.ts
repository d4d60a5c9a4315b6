import type { FeaturedProduct, ProductShort } from '../../generated/model';

/** Products by category, in the order of the menu, without those that are featured. */
export function choicesOf(
  products: readonly ProductShort[],
  categories: ReadonlyMap<string, string>,
  featured: readonly FeaturedProduct[],
) {
  const taken = new Set(featured.map((row) => row.product_id));
  const groups = new Map<string, { value: string; label: string }[]>();
  for (const { id, name, product_category_id: home } of products)
    if (!taken.has(id)) groups.set(home, [...(groups.get(home) ?? []), { value: id, label: name }]);
  return [...groups].map(([home, options]) => ({ label: categories.get(home) ?? '…', title: home, options }));
}
