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
  /** The tax report needs a category and a unit of it, and one of them is nowhere. */
  lacks: boolean;
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
export const harmless = (
  proposals: readonly Pick<NtakProposal, 'level' | 'id' | 'replaces'>[],
): Set<string> => new Set(proposals.filter((one) => !one.replaces).map(keyOf));

/** What is looked at and taken in one: a proposal, together with the quantity of a product's only size. */
export interface Offer extends NtakProposal {
  key: string;
  /** Its page. */
  path: string;
  /** The proposals that it takes. */
  parts: NtakProposal[];
  /** The unit in which its quantity is read. */
  unit: NtakUnit | null;
}

/** The proposals as rows. The only size of a product has no name of its own, and is no row of its own. */
export function offers(proposals: readonly NtakProposal[]): Offer[] {
  const rows: Offer[] = [];
  let product: Offer | undefined;
  for (const one of proposals) {
    const above = one.level === 'subproduct' && product?.id === one.product_id ? product : undefined;
    if (above && !one.subproduct && !one.ntak_category_id && !one.ntak_quantity_unit) {
      above.parts.push(one);
      above.ntak_quantity = one.ntak_quantity ?? null;
      above.current_ntak_quantity = one.current_ntak_quantity ?? null;
      above.unit ??= one.current_ntak_quantity_unit ?? null;
      above.replaces ||= one.replaces;
      continue;
    }
    const measured = one.ntak_quantity !== null && one.ntak_quantity !== undefined;
    const inherited = above?.unit ?? one.current_ntak_quantity_unit ?? null;
    const row: Offer = {
      ...one,
      key: keyOf(one),
      path: [one.product_category_id, one.product_id].filter(Boolean).join('/'),
      parts: [one],
      unit: one.ntak_quantity_unit ?? (measured ? inherited : null),
    };
    rows.push(row);
    if (one.level === 'product') product = row;
  }
  return rows;
}

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
  const sizes = product.subproducts.map((size): MenuRow => {
    const row = line('subproduct', size, {
      category,
      product: product.name,
      subproduct: size.name === product.name ? null : size.name,
      path,
    });
    return {
      ...row,
      ntak_quantity: size.ntak_quantity === null ? null : String(size.ntak_quantity),
      // Of a menu each part is reported.
      lacks: row.lacks && size.components.length === 0,
    };
  });
  const own = line('product', product, { category, product: product.name, subproduct: null, path });
  const [only] = sizes;
  // The only size is the product, unless it says something of its own.
  if (only && sizes.length === 1 && !only.subproduct && !only.own)
    return [{ ...own, ntak_quantity: only.ntak_quantity, lacks: only.lacks }];
  return [{ ...own, lacks: own.lacks && sizes.some((size) => size.lacks) }, ...sizes];
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
  // A category alone sells nothing: what lacks something is below it.
  lacks: level !== 'category' && !(effective.ntak_category.id && effective.ntak_quantity_unit.value),
});
