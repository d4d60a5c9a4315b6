import { labelOf } from '../../lib/fields/labels';
import { t } from '../../lib/i18n';
import type { CategoryDraft } from './category';
import type { ProductDraft, SubproductDraft } from './product';
import type { Fact } from '../../lib/form/DraftConflict';
import { type IdField, type Ids, PRODUCT_IDS, SIZE_IDS } from './shared/externalIds';
import { CHANNELS, type Inheritable, type TimeRange, type Tri } from './shared/types';

/** What turns values of a draft into text: names of ids, amounts, instants. */
export interface Words {
  vat: (id: string) => string;
  ntak: (id: string) => string;
  unit: (unit: string) => string;
  color: (id: string) => string;
  category: (id: string) => string;
  group: (id: string) => string;
  allergen: (id: string) => string;
  size: (id: string) => string;
  money: (value: string) => string;
  dateTime: (value: string) => string;
}

export const tri = (value: Tri): string =>
  value === null ? t('inherit.inherits') : t(value ? 'tri.yes' : 'tri.no');
export const yesNo = (value: boolean): string => t(value ? 'state.active' : 'state.inactive');
const or = (value: string | null, text: (value: string) => string, none: string): string =>
  value ? text(value) : none;

const rangeText = (range: TimeRange): string => `${t(`day.${range.day}`)} ${range.from}–${range.till}`;

/** Facts of one row; `prefix` stands before its paths and `of` before its labels. */
export function facts<D extends object>(
  resource: string,
  draft: D,
  texts: { [K in keyof D]?: (value: D[K]) => string },
  prefix = '',
  of = '',
): Fact[] {
  return (Object.keys(texts) as (keyof D & string)[]).map((field) => {
    const value = draft[field];
    const first = labelOf(resource, field.replace(/_sec_lang$/, ''));
    const label = field.endsWith('_sec_lang') ? t('catalogue.second', { label: first }) : first;
    return { path: `${prefix}${field}`, label: `${of}${label}`, value, text: texts[field]!(value) };
  });
}

export const plain = (value: string): string => value;

/** Ids in other systems, as they are. */
export const idTexts = <F extends IdField>(fields: readonly F[]) =>
  Object.fromEntries(fields.map((field) => [field, plain])) as { [K in keyof Ids<F>]: typeof plain };

const inheritable = (w: Words) =>
  ({
    ...Object.fromEntries(CHANNELS.map((channel) => [channel, tri])),
    has_tip: tri,
    vat_id: (id: string | null) => or(id, w.vat, t('inherit.inherits')),
    sit_in_vat_id: (id: string | null) => or(id, w.vat, t('inherit.inherits')),
    ntak_category_id: (id: string | null) => or(id, w.ntak, t('inherit.inherits')),
    ntak_quantity_unit: (unit: string | null) => or(unit, w.unit, t('inherit.inherits')),
  }) as { [K in keyof Inheritable]: (value: Inheritable[K]) => string };

const texts = { name: plain, name_sec_lang: plain, description: plain, description_sec_lang: plain };
const schedule = (w: Words) => {
  const at = (value: string | null) => or(value, w.dateTime, '');
  return { available_from: at, available_to: at, expected_at: at };
};

/** A picture has no name here: that there is one, and another one, is what counts. */
const shown = (id: string | null) => (id ? `${t('catalogue.picture')} ${id.slice(-4)}` : '');

export const categoryFacts = (draft: CategoryDraft, w: Words): Fact[] =>
  facts('product_categories', draft, {
    ...texts,
    active: yesNo,
    parent_id: (id) => or(id, w.category, t('product_categories.top_level')),
    pos_color_id: (id) => or(id, w.color, ''),
    image_web_id: shown,
    image_app_id: shown,
    image_desc_id: shown,
    ...inheritable(w),
    ...schedule(w),
    time_ranges: (ranges) => ranges.map(rangeText).join(', '),
  });

const subproductFacts = (row: SubproductDraft, w: Words): Fact[] => {
  const name = row.name.trim() || t('products.unnamed');
  return facts(
    'subproducts',
    row,
    {
      ...texts,
      price: (value) => or(value, w.money, ''),
      active: yesNo,
      ...inheritable(w),
      ean_code: plain,
      ...idTexts(SIZE_IDS),
      ntak_quantity: plain,
      option_group_ids: (ids) => ids.map(w.group).join(', '),
      allergenic_ids: (ids) => ids.map(w.allergen).join(', '),
      sellable_quantity: (value) => (value === null ? t('subproducts.not_counted') : String(value)),
      deposit_pieces: String,
      components: (rows) =>
        rows
          .map(
            ({ subproduct_id, pieces }) => `${pieces ?? 0} × ${subproduct_id ? w.size(subproduct_id) : ''}`,
          )
          .join(', '),
    },
    `subproducts.${row.key}.`,
    `${name} › `,
  );
};

export const productFacts = (draft: ProductDraft, w: Words): Fact[] => [
  ...facts('products', draft, {
    ...texts,
    product_category_id: (id) => or(id, w.category, ''),
    active: yesNo,
    pos_color_id: (id) => or(id, w.color, ''),
    ean_code: plain,
    ...idTexts(PRODUCT_IDS),
    image_id: shown,
    ...inheritable(w),
    ...schedule(w),
  }),
  ...(draft.subproducts.length > 1
    ? [
        {
          path: 'order',
          label: t('products.order'),
          value: draft.subproducts.map((row) => row.key),
          text: draft.subproducts.map((row) => row.name.trim() || t('products.unnamed')).join(', '),
        },
      ]
    : []),
  ...draft.subproducts.flatMap((row) => subproductFacts(row, w)),
];

/** Label of a field by its path, with the size it belongs to. */
export function pathLabel(
  path: string,
  resource: string,
  draft: { subproducts?: readonly SubproductDraft[] },
): string {
  const [first, key, field] = path.split('.');
  if (first !== 'subproducts' || !field) return labelOf(resource, first!.replace(/_sec_lang$/, ''));
  const at = draft.subproducts?.findIndex((s) => s.key === key) ?? -1;
  const label = labelOf('subproducts', field.replace(/_sec_lang$/, ''));
  return (draft.subproducts?.length ?? 0) > 1
    ? `${draft.subproducts?.[at]?.name.trim() || t('products.unnamed_nth', { place: at + 1 })} › ${label}`
    : label;
}
