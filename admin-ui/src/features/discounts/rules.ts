import type { ApiError } from '../../lib/http';
import { t } from '../../lib/i18n';
import type { Faults } from '../../lib/form/useDraft';
import { rangeFaults } from '../categories-and-products/shared/draft';
import type { DiscountDraft, GiftDraft, RangeDraft } from './draft';

type Found = Record<string, string>;

const blank = (text: string) => text.trim() === '';
/** Whether two amounts are the same number. */
const equal = (a: string, b: string) => !blank(a) && !blank(b) && Number(a) === Number(b);

function giftFaults(gift: GiftDraft, path: string): Found {
  const faults: Found = {};
  if (!gift.subproduct_id) faults[`${path}.subproduct_id`] = 'form.required';
  if (!gift.quantity) faults[`${path}.quantity`] = 'discounts.gift_quantity_error';
  if (blank(gift.discount_percentage) || Number(gift.discount_percentage) < 1)
    faults[`${path}.discount_percentage`] = 'discounts.value_min';
  return faults;
}

function oneRangeFaults(range: RangeDraft, earlier: readonly RangeDraft[]): Found {
  const path = `ranges.${range.key}`;
  const faults: Found = {};
  if (blank(range.price_from)) faults[`${path}.price_from`] = 'discounts.missing_ranges';
  else if (earlier.some((other) => equal(other.price_from, range.price_from)))
    faults[`${path}.price_from`] = 'discounts.same_from';
  const value = Number(range.discount_value);
  const mayBeZero = range.free_delivery || range.gifts.length > 0;
  if (blank(range.discount_value)) faults[`${path}.discount_value`] = 'discounts.missing_ranges';
  else if (value < 1 && !(value === 0 && mayBeZero)) faults[`${path}.discount_value`] = 'discounts.value_min';
  else if (range.discount_type === 'percent' && value > 100)
    faults[`${path}.discount_value`] = 'discounts.percent_max';
  for (const gift of range.gifts) Object.assign(faults, giftFaults(gift, `${path}.gifts.${gift.key}`));
  return faults;
}

/** What contradicts itself. `hasSeries`: the coupon has codes of its own and needs no other one. */
export function discountFaults(draft: DiscountDraft, hasSeries: boolean): Faults {
  const faults: Found = {};
  if (blank(draft.name)) faults.name = 'form.required';
  if (draft.discount_type === 'coupon' && blank(draft.code) && !hasSeries) faults.code = 'form.required';
  if (draft.ranges.length === 0) faults.ranges = 'discounts.missing_ranges';
  draft.ranges.forEach((range, at) =>
    Object.assign(faults, oneRangeFaults(range, draft.ranges.slice(0, at))),
  );
  if (draft.platforms.length === 0) faults.platforms = 'discounts.missing_platforms';
  if (draft.products_for && draft.product_category_ids.length + draft.subproduct_ids.length === 0)
    faults.product_category_ids = 'discounts.missing_products';
  if (draft.valid_from && draft.valid_till && Date.parse(draft.valid_from) > Date.parse(draft.valid_till))
    faults.valid_till = 'discounts.datetime_error';
  for (const at of rangeFaults(draft.time_ranges)) faults[`time_ranges.${at}`] = 'catalogue.range_incomplete';
  return faults;
}

/** Fields whose elements have no inputs of their own. */
const LISTS = ['platforms', 'restaurant_ids', 'product_category_ids', 'subproduct_ids'];

/** The field that a key of the service names: rows by their place there, by their key here. */
export function discountPath(key: string, draft: DiscountDraft): string | undefined {
  const [field, at, name, place, inside] = key.split('.');
  if (field === 'shadow_customer_id') return 'named';
  if (!field || !Object.hasOwn(draft, field)) return undefined;
  if (LISTS.includes(field)) return field;
  if (field === 'time_ranges') return at === undefined ? field : `${field}.${at}`;
  if (field !== 'ranges' || at === undefined) return field;
  const range = draft.ranges[Number(at)];
  if (!range) return field;
  const gift = name === 'gifts' && place !== undefined ? range.gifts[Number(place)] : undefined;
  if (gift) return `ranges.${range.key}.gifts.${gift.key}.${inside ?? 'subproduct_id'}`;
  return `ranges.${range.key}.${name ?? 'price_from'}`;
}

/** Words for what the service refuses, by field and fault; the rows' numbers do not count. */
const WORDS: Record<string, string> = {
  'code:not_unique': 'discounts.code_taken',
  'discount_type:not_unique': 'discounts.upsell_active',
  'platforms:required': 'discounts.missing_platforms',
  'product_category_ids:required': 'discounts.missing_products',
  'product_category_ids:not_exist': 'discounts.product_gone',
  'ranges.discount_value:max': 'discounts.value_max',
  'ranges.discount_value:min': 'discounts.value_min',
  'ranges.discount_value:required': 'discounts.missing_ranges',
  'ranges.gifts.quantity:min': 'discounts.gift_quantity_error',
  'ranges.gifts.subproduct_id:not_exist': 'discounts.product_gone',
  'ranges.price_from:not_unique': 'discounts.same_from',
  'ranges.price_from:required': 'discounts.missing_ranges',
  'ranges:required': 'discounts.missing_ranges',
  'restaurant_ids:invalid': 'discounts.currencies_differ',
  'subproduct_ids:required': 'discounts.missing_products',
  'subproduct_ids:not_exist': 'discounts.product_gone',
  'valid_till:invalid': 'discounts.datetime_error',
};

/** The key of what is said of a field that the service refused; nothing where its fault says enough. */
export function faultWord(failure: ApiError, key: string): string | undefined {
  const fault = failure.problem.faults?.find((one) => one.key === key)?.fault;
  const field = key
    .split('.')
    .filter((part) => !/^\d+$/.test(part))
    .join('.');
  return WORDS[`${field}:${fault}`];
}

export function discountFaultText(failure: ApiError, key: string): string | undefined {
  const word = faultWord(failure, key);
  return word && t(word);
}
