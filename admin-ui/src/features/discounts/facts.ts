import { labelOf } from '../../lib/fields/labels';
import type { Fact } from '../../lib/form/DraftConflict';
import type { useFormat } from '../../lib/format';
import { t } from '../../lib/i18n';
import type { DiscountDraft, RangeDraft } from './draft';

/** What turns values of a draft into text. */
export interface Words {
  format: ReturnType<typeof useFormat>;
  restaurant: (id: string) => string;
  category: (id: string) => string;
  size: (id: string) => string;
}

/** A range in words, as the comparison of two versions shows it. */
function rangeText(
  range: RangeDraft,
  by: DiscountDraft['range_filter_type'],
  { format, size }: Words,
): string {
  const value =
    range.discount_type === 'percent'
      ? format.percent(range.discount_value)
      : format.money(range.discount_value);
  const from = by === 'by_price' ? format.money(range.price_from) : format.number(range.price_from);
  const on = (['apply_on_options', 'apply_on_delivery', 'free_delivery'] as const).filter(
    (name) => range[name],
  );
  return [
    `${from}: ${value} (${t(`discounts.ranges.discount_type.${range.discount_type}`)})`,
    ...on.map((name) => t(`discounts.ranges.${name}`)),
    ...range.gifts.map(
      (gift) =>
        `${gift.quantity ?? 0} × ${gift.subproduct_id ? size(gift.subproduct_id) : ''} (${format.percent(gift.discount_percentage)}, ${t(`discounts.gift_quantity_type.${gift.quantity_type}`)})`,
    ),
  ].join('; ');
}

/** The values of a draft for the comparison of two editors' versions. */
export function discountFacts(draft: DiscountDraft, words: Words): Fact[] {
  const { format, restaurant, category, size } = words;
  const fact = (field: keyof DiscountDraft, text: string): Fact => ({
    path: field,
    label: labelOf('discounts', field),
    value: draft[field],
    text,
  });
  const yes = (field: keyof DiscountDraft) => fact(field, t(draft[field] ? 'tri.yes' : 'tri.no'));
  const word = (field: keyof DiscountDraft) => fact(field, t(`discounts.${field}.${String(draft[field])}`));
  const limit = (field: 'all_max_use_qty' | 'customer_max_use_qty') =>
    fact(field, draft[field] === null ? t('discounts.no_limit') : format.number(draft[field]));
  const at = (field: 'valid_from' | 'valid_till') =>
    fact(field, draft[field] ? format.dateTime(draft[field]) : '');
  return [
    fact('name', draft.name),
    fact('code', draft.code),
    yes('active'),
    word('range_filter_type'),
    word('apply_type'),
    ...draft.ranges.map((range, place): Fact => ({
      path: `ranges.${place}`,
      label: t('discounts.range_row', { number: place + 1 }),
      value: { ...range, key: '', gifts: range.gifts.map((gift) => ({ ...gift, key: '' })) },
      text: rangeText(range, draft.range_filter_type, words),
    })),
    fact('platforms', draft.platforms.map((one) => t(`discounts.platforms.${one}`)).join(', ')),
    yes('pickup_enabled'),
    fact(
      'restaurant_ids',
      draft.restaurant_ids?.map(restaurant).join(', ') ?? t('discounts.all_restaurants'),
    ),
    fact('products_for', t(`discounts.products_for.${draft.products_for ?? 'all'}`)),
    fact('product_category_ids', draft.product_category_ids.map(category).join(', ')),
    fact('subproduct_ids', draft.subproduct_ids.map(size).join(', ')),
    yes('login_needed'),
    yes('stackable'),
    limit('all_max_use_qty'),
    limit('customer_max_use_qty'),
    yes('is_daily_discount_limit'),
    at('valid_from'),
    at('valid_till'),
    fact(
      'time_ranges',
      draft.time_ranges.map(({ day, from, till }) => `${t(`day.${day}`)} ${from}–${till}`).join(', '),
    ),
    yes('locked_customers'),
  ];
}

/** Label of a field at fault by its path. */
export function pathLabel(path: string, draft: DiscountDraft): string {
  const [field = '', key, name, gift, inside] = path.split('.');
  if (field !== 'ranges' || key === undefined) {
    return field === 'named' ? t('discounts.add_customer') : labelOf('discounts', field);
  }
  const at = draft.ranges.findIndex((range) => range.key === key);
  const row = t('discounts.range_row', { number: at + 1 });
  if (name === 'gifts' && gift) {
    const place = draft.ranges[at]?.gifts.findIndex((one) => one.key === gift) ?? 0;
    const what = inside === 'quantity' ? 'discounts.gift_quantity' : 'discounts.gift_size';
    return `${row} › ${t('discounts.gift_row', { number: place + 1 })} › ${t(inside === 'discount_percentage' ? 'discounts.gift_percentage' : what)}`;
  }
  return `${row} › ${t(name === 'price_from' ? 'discounts.ranges.price_from' : 'discounts.ranges.discount_value')}`;
}
