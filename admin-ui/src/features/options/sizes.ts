import { productHomes } from '../categories-and-products/category';
import type { Product, ProductCategory } from '../categories-and-products/shared/types';
import { plain } from '../../lib/plain';

/** A size of a product, as it is chosen. */
export interface Size {
  id: string;
  name: string;
  active: boolean;
  /** Whether it has the group. */
  has: boolean;
}

export interface SizedProduct {
  id: string;
  name: string;
  active: boolean;
  sizes: Size[];
}

export interface SizedCategory {
  id: string;
  /** With the category above. */
  path: string;
  products: SizedProduct[];
}

export type CategoryWithProducts = ProductCategory & { products?: Product[] };

/** The menu as a tree of sizes; categories without products are left out. */
export function sizeTree(categories: readonly CategoryWithProducts[], group: string): SizedCategory[] {
  const products = new Map(categories.map((row) => [row.id, row.products ?? []]));
  return productHomes(categories)
    .map(({ id, path }) => ({
      id,
      path,
      products: products.get(id)!.map(({ id: product, name, active, subproducts }) => ({
        id: product,
        name,
        active,
        sizes: subproducts.map((size) => ({
          id: size.id,
          name: size.name,
          active: size.active,
          has: size.option_group_ids.includes(group),
        })),
      })),
    }))
    .filter((category) => category.products.length > 0);
}

/**
 * The sizes in whose category, product or own name every word of the search stands: `pizza 30` finds the
 * sizes of 30 cm of all pizzas.
 */
export function matching(tree: readonly SizedCategory[], search: string): SizedCategory[] {
  const words = plain(search).split(/\s+/).filter(Boolean);
  const fits = (...names: string[]) => {
    const text = plain(names.join(' '));
    return words.every((word) => text.includes(word));
  };
  return tree
    .map((category) => ({
      ...category,
      products: category.products
        .map((product) => ({
          ...product,
          sizes: product.sizes.filter((size) => fits(category.path, product.name, size.name)),
        }))
        .filter((product) => product.sizes.length > 0),
    }))
    .filter((category) => category.products.length > 0);
}

export const sizesOf = (products: readonly SizedProduct[]): Size[] =>
  products.flatMap((product) => product.sizes);

/** What was chosen otherwise than it is; what is missing stays as it is. */
export type Choices = ReadonlyMap<string, boolean>;

export const isChosen = (choices: Choices, size: Size): boolean => choices.get(size.id) ?? size.has;

/** The same choices with these sizes chosen or not. */
export function choose(choices: Choices, sizes: readonly Size[], on: boolean): Choices {
  const next = new Map(choices);
  for (const { id, has } of sizes) {
    if (has === on) next.delete(id);
    else next.set(id, on);
  }
  return next;
}

/** What is sent: the sizes that get the group, and those that lose it. */
export function difference(
  tree: readonly SizedCategory[],
  choices: Choices,
): { add: string[]; remove: string[] } {
  const changed = tree
    .flatMap((category) => sizesOf(category.products))
    .filter((size) => isChosen(choices, size) !== size.has);
  const ids = (has: boolean) => changed.filter((size) => size.has === has).map((size) => size.id);
  return { add: ids(false), remove: ids(true) };
}
