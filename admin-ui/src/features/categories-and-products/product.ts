import { amount, type Body, changes, mergeFields, optional, same } from '../../lib/form/body';
import { type Faults } from '../../lib/form/useDraft';
import { type Ids, idsBody, idsOf, PRODUCT_IDS, SIZE_IDS } from './shared/externalIds';
import { INHERITS, inheritableOf, NO_PERIOD, NO_TEXTS, scheduleOf, textsOf } from './shared/draft';
import type { Inheritable, Product, Subproduct } from './shared/types';

/** Pieces when counting is switched on. */
const SELLABLE_START = 20;

/** A part of a menu. */
export interface ComponentDraft {
  /** Names the row; not sent. */
  key: string;
  subproduct_id: string | null;
  pieces: number | null;
}

export interface SubproductDraft extends Inheritable, Ids<(typeof SIZE_IDS)[number]> {
  /** The id, or a name of its own while it is new. */
  key: string;
  id?: string;
  name: string;
  name_sec_lang: string;
  description: string;
  description_sec_lang: string;
  price: string;
  active: boolean;
  option_group_ids: string[];
  allergenic_ids: string[];
  ean_code: string;
  /** How much one piece is in the unit of the tax report; empty: 1. */
  ntak_quantity: string;
  sellable_quantity: number | null;
  /** Bottles and cans with a deposit in one piece. */
  deposit_pieces: number;
  /** What a menu consists of; empty for anything else. */
  components: ComponentDraft[];
}

export interface ProductDraft extends Inheritable, Ids<(typeof PRODUCT_IDS)[number]> {
  product_category_id: string;
  name: string;
  name_sec_lang: string;
  description: string;
  description_sec_lang: string;
  active: boolean;
  available_from: string | null;
  available_to: string | null;
  expected_at: string | null;
  pos_color_id: string | null;
  ean_code: string;
  image_id: string | null;
  /** In their order. */
  subproducts: SubproductDraft[];
}

const subproductDraft = (row: Subproduct): SubproductDraft => ({
  key: row.id,
  id: row.id,
  ...textsOf(row),
  price: amount(row.price) ?? '',
  active: row.active,
  ...inheritableOf(row),
  option_group_ids: row.option_groups.map((group) => group.id),
  allergenic_ids: row.allergenic_ids,
  ean_code: row.ean_code ?? '',
  ...idsOf(SIZE_IDS, row),
  ntak_quantity: amount(row.ntak_quantity) ?? '',
  sellable_quantity: row.sellable_quantity,
  deposit_pieces: row.deposit_pieces,
  // Their place names them, so that the same row is the same draft each time it is read.
  components: row.components.map((component, at) => ({ key: `c${at}`, ...component })),
});

export const productDraft = (row: Product): ProductDraft => ({
  product_category_id: row.product_category_id,
  ...textsOf(row),
  active: row.active,
  ...inheritableOf(row),
  ...scheduleOf(row),
  pos_color_id: row.pos_color_id,
  ean_code: row.ean_code ?? '',
  ...idsOf(PRODUCT_IDS, row),
  image_id: row.image_id,
  subproducts: row.subproducts.map(subproductDraft),
});

let count = 0;

export const newComponent = (): ComponentDraft => ({ key: `new-${++count}`, subproduct_id: null, pieces: 1 });

/**
 * A new size: shared fields are copied from the last size, distinguishing ones are empty.
 */
export const newSubproduct = (like?: SubproductDraft): SubproductDraft => ({
  ...INHERITS,
  ...(like
    ? {
        ...inheritableOf(like),
        // Its category may have ended, which a new size cannot choose.
        ntak_category_id: null,
        ntak_quantity_unit: null,
        option_group_ids: like.option_group_ids,
        allergenic_ids: like.allergenic_ids,
        deposit_pieces: like.deposit_pieces,
      }
    : { option_group_ids: [], allergenic_ids: [], deposit_pieces: 0 }),
  key: `new-${++count}`,
  ...NO_TEXTS,
  price: '',
  active: true,
  ean_code: '',
  ...idsOf(SIZE_IDS),
  ntak_quantity: '',
  sellable_quantity: null,
  components: [],
});

export const newProduct = (category: string): ProductDraft => ({
  product_category_id: category,
  ...NO_TEXTS,
  active: true,
  ...INHERITS,
  ...NO_PERIOD,
  pos_color_id: null,
  ean_code: '',
  ...idsOf(PRODUCT_IDS),
  image_id: null,
  subproducts: [newSubproduct()],
});

function subproductWhole(draft: SubproductDraft): Body {
  const { key: _, id, ...row } = draft;
  return {
    ...(id ? { id } : {}),
    ...row,
    name: row.name.trim(),
    name_sec_lang: optional(row.name_sec_lang),
    description: optional(row.description),
    description_sec_lang: optional(row.description_sec_lang),
    price: amount(row.price),
    ean_code: optional(row.ean_code),
    ...idsBody(SIZE_IDS, row),
    ntak_quantity: amount(row.ntak_quantity),
    components: row.components.map(({ subproduct_id, pieces }) => ({ subproduct_id, pieces })),
  };
}

/**
 * All sub-products in their order, or nothing when none differs. Of those that exist only what differs is
 * sent: orders lower the sellable quantity meanwhile, and a save that does not mean it must not set it back.
 */
function subproductsBody(
  after: readonly SubproductDraft[],
  before: readonly SubproductDraft[],
  productName: string,
): Body[] | undefined {
  const known = new Map(before.map((row) => [row.key, subproductWhole(row)]));
  const untouched =
    same(
      after.map((row) => row.key),
      before.map((row) => row.key),
    ) && after.every((row) => same(subproductWhole(row), known.get(row.key)));
  if (untouched) return undefined;
  return after.map((row) => {
    const old = row.id ? known.get(row.key) : undefined;
    return old
      ? { id: row.id, ...calledLike(productName, changes(old, subproductWhole(row))) }
      : withoutBlankName(subproductWhole(row));
  });
}

/** A name that was emptied: the service would keep the old one. */
const calledLike = (productName: string, row: Body): Body =>
  row.name === '' ? { ...row, name: productName } : row;

/** A new sub-product without a name is called like its product; the service does that. */
const withoutBlankName = ({ name, ...rest }: Body): Body => (name ? { name, ...rest } : rest);

function productWhole(draft: ProductDraft): Body {
  const { subproducts: _, ...row } = draft;
  return {
    ...row,
    name: row.name.trim(),
    name_sec_lang: optional(row.name_sec_lang),
    description: optional(row.description),
    description_sec_lang: optional(row.description_sec_lang),
    ean_code: optional(row.ean_code),
    ...idsBody(PRODUCT_IDS, row),
  };
}

/**
 * The body of a save: everything of a new product, else what differs. `product_category_id` is sent by the
 * move call.
 */
export function productBody(draft: ProductDraft, base?: ProductDraft): Body {
  const rows = subproductsBody(draft.subproducts, base?.subproducts ?? [], draft.name.trim());
  return {
    ...(base ? changes(productWhole(base), productWhole(draft)) : productWhole(draft)),
    ...(rows ? { subproducts: rows } : {}),
  };
}

/** My changes on top of what somebody else saved, sub-product by sub-product. */
export function mergeProduct(base: ProductDraft, mine: ProductDraft, theirs: ProductDraft): ProductDraft {
  const [was, is] = [byKey(base.subproducts), byKey(theirs.subproducts)];
  const retained = mine.subproducts.flatMap((row) => {
    const [old, now] = [was.get(row.key), is.get(row.key)];
    if (!row.id || !old) return [row];
    return now ? [mergeFields(old, row, now)] : [];
  });
  const added = theirs.subproducts.filter((row) => !was.has(row.key));
  const reordered = !same(
    base.subproducts.map((r) => r.key),
    mine.subproducts.filter((r) => r.id).map((r) => r.key),
  );
  const merged = [...retained, ...added];
  if (!reordered) merged.sort((a, b) => place(theirs, a.key) - place(theirs, b.key));
  return { ...mergeFields(base, mine, theirs), subproducts: merged };
}
const byKey = (rows: readonly SubproductDraft[]) => new Map(rows.map((row) => [row.key, row]));
const place = (draft: ProductDraft, key: string): number => {
  const at = draft.subproducts.findIndex((row) => row.key === key);
  return at < 0 ? Number.MAX_SAFE_INTEGER : at;
};

/** More than nothing, at most 100,000, with at most 4 decimals. */
const rightQuantity = (text: string): boolean => {
  const plain = amount(text) ?? '';
  const value = Number(plain);
  return value > 0 && value <= 100_000 && (plain.split('.')[1] ?? '').length <= 4;
};

/** Name and price are needed; the only sub-product takes the product's name. */
export function productFaults(draft: ProductDraft): Faults {
  const faults: Record<string, string> = {};
  if (!draft.product_category_id) faults.product_category_id = 'form.required';
  if (!draft.name.trim()) faults.name = 'form.required';
  for (const row of draft.subproducts) {
    if (amount(row.price) === null) faults[`subproducts.${row.key}.price`] = 'form.required';
    if (draft.subproducts.length > 1 && !row.name.trim())
      faults[`subproducts.${row.key}.name`] = 'form.required';
    if (amount(row.ntak_quantity) !== null && !rightQuantity(row.ntak_quantity))
      faults[`subproducts.${row.key}.ntak_quantity`] = 'ntak.quantity_wrong';
    if (row.components.some(({ subproduct_id, pieces }) => !subproduct_id || !pieces))
      faults[`subproducts.${row.key}.components`] = 'subproducts.component_incomplete';
  }
  if (draft.available_from && draft.available_to && draft.available_to < draft.available_from)
    faults.available_to = 'catalogue.ends_before';
  return faults;
}

/**
 * The service names sub-products by their position in the body; the form by their key, which survives
 * sorting.
 */
export function productPath(key: string, draft: ProductDraft): string | undefined {
  const [field, index, ...rest] = key.split('.');
  if (field === 'base_price')
    return draft.subproducts.length === 1 ? `subproducts.${draft.subproducts[0]!.key}.price` : undefined;
  if (field === 'new_product_category_id') return 'product_category_id';
  if (field !== 'subproducts') return field && field in draft ? field : undefined;
  const row = draft.subproducts[Number(index)];
  return row ? ['subproducts', row.key, ...(rest.length ? rest : ['name'])].slice(0, 3).join('.') : undefined;
}

/** The sub-products that have a fault. The price of the only one stands with the product, not with it. */
export const faultySubproducts = (faults: Faults, only?: SubproductDraft): Set<string> =>
  new Set(
    Object.keys(faults).flatMap((path) =>
      path.startsWith('subproducts.') && path !== `subproducts.${only?.key}.price`
        ? [path.split('.')[1]!]
        : [],
    ),
  );

/**
 * Counting on begins with 20 pieces and makes the row active; a quantity above 0 makes it active too; off is
 * null.
 */
export function sellable(
  quantity: number | null | 'on',
): Pick<SubproductDraft, 'sellable_quantity'> & { active?: true } {
  const pieces = quantity === 'on' ? SELLABLE_START : quantity;
  return { sellable_quantity: pieces, ...(pieces ? { active: true as const } : {}) };
}

/** Lowest and highest price of the sub-products, for lists. */
export function priceRange(
  rows: readonly { price: number | string }[],
): [number | string, number | string] | undefined {
  if (rows.length === 0) return undefined;
  const sorted = rows.map((row) => row.price).toSorted((a, b) => Number(a) - Number(b));
  return [sorted[0]!, sorted.at(-1)!];
}
