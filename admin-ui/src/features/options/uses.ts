import type { OptionGroup } from '../categories-and-products/shared/types';

interface Product {
  id: string;
  name: string;
  /** Names of its sizes, where they say more than the product's. */
  sizes: string[];
}

export interface CategoryUse {
  id: string;
  /** With the category above it. */
  label: string;
  /** Sizes that use the group. */
  count: number;
  products: Product[];
}

/** What uses a group: categories, their products and sizes, in the order of the menu. */
export function usesOf({ subproducts, product_categories }: OptionGroup): CategoryUse[] {
  const products = new Map<string, Map<string, Product>>();
  for (const { name, product_id: id, product_name, product_category_id: home } of subproducts ?? []) {
    const there = products.get(home) ?? new Map<string, Product>();
    products.set(home, there);
    const product = there.get(id) ?? { id, name: product_name, sizes: [] };
    there.set(id, product);
    if (name !== product_name) product.sizes.push(name);
  }
  return (product_categories ?? []).map(({ id, name, parent_name, subproduct_count: count }) => ({
    id,
    label: parent_name ? `${parent_name} › ${name}` : name,
    count,
    products: [...(products.get(id)?.values() ?? [])],
  }));
}
