import type { NtakChangeRow, NtakProposal } from '../../generated/model';
import type { NtakUnit, Product, ProductCategory } from '../categories-and-products/shared/types';

/** A category, product or size, and what holds there. */
export interface MenuRow {
  /** Level and id: ids of two levels never meet, but a key should say what it names. */
  key: string;
  level: NtakProposal['level'];
  id: string;
  category: string;
  product: string | null;
  subproduct: string | null;
  /** Its page: category, and product of that. */
  path: string;
  ntak_category_id: string | null;
  ntak_quantity_unit: NtakUnit | null;
  ntak_quantity: string | null;
  /** Category or unit are its own. */
  own: boolean;
}

export const keyOf = (row: { level: string; id: string }): string => `${row.level}:${row.id}`;

/** The most specific name of a row. */
export const nameOf = (row: {
  category: string;
  product?: string | null;
  subproduct?: string | null;
}): string => (row.product ? [row.product, row.subproduct].filter(Boolean).join(', ') : row.category);

/** The row of a change that takes a proposal: what it leaves alone is absent. */
export const takes = ({ level, id, ...of }: NtakProposal): NtakChangeRow => ({
  level,
  id,
  ...(of.ntak_category_id ? { ntak_category_id: of.ntak_category_id } : {}),
  ...(of.ntak_quantity_unit ? { ntak_quantity_unit: of.ntak_quantity_unit } : {}),
  ...(of.ntak_quantity === null || of.ntak_quantity === undefined ? {} : { ntak_quantity: of.ntak_quantity }),
});

/** Those that change nothing that holds already: the ones that are chosen before somebody has looked. */
export const harmless = (proposals: readonly NtakProposal[]): Set<string> =>
  new Set(proposals.filter((one) => !one.replaces).map(keyOf));

type Whole = ProductCategory & { products?: Product[] };

/** The whole menu line by line, in its order: upper categories before those below them. */
export function menuRows(categories: readonly Whole[]): MenuRow[] {
  const byId = new Map(categories.map((one) => [one.id, one]));
  const place = (row: Whole) => {
    const top = (row.parent_id && byId.get(row.parent_id)) || row;
    return [top.ranking, top === row ? -1 : row.ranking] as const;
  };
  const ordered = categories.toSorted((a, b) => {
    const [one, other] = [place(a), place(b)];
    return one[0] - other[0] || one[1] - other[1];
  });
  return ordered.flatMap((category) => {
    const parent = category.parent_id ? byId.get(category.parent_id) : undefined;
    const name = parent ? `${parent.name} > ${category.name}` : category.name;
    return [
      line('category', category, { category: name, product: null, subproduct: null, path: category.id }),
      ...(category.products ?? []).flatMap((product) => productRows(product, name)),
    ];
  });
}

function productRows(product: Product, category: string): MenuRow[] {
  const path = `${product.product_category_id}/${product.id}`;
  return [
    line('product', product, { category, product: product.name, subproduct: null, path }),
    // The only size is the product, but for its quantity.
    ...product.subproducts.map((size) => ({
      ...line('subproduct', size, {
        category,
        product: product.name,
        subproduct: size.name === product.name ? null : size.name,
        path,
      }),
      ntak_quantity: size.ntak_quantity === null ? null : String(size.ntak_quantity),
    })),
  ];
}

type Source = Pick<ProductCategory, 'id' | 'effective' | 'ntak_category_id' | 'ntak_quantity_unit'>;

const line = (
  level: MenuRow['level'],
  { id, effective, ntak_category_id, ntak_quantity_unit }: Source,
  names: Pick<MenuRow, 'category' | 'product' | 'subproduct' | 'path'>,
): MenuRow => ({
  key: keyOf({ level, id }),
  level,
  id,
  ...names,
  ntak_category_id: effective.ntak_category.id ?? null,
  ntak_quantity_unit: effective.ntak_quantity_unit.value ?? null,
  ntak_quantity: null,
  own: ntak_category_id !== null || ntak_quantity_unit !== null,
});
