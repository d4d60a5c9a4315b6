import type {
  ApplyType,
  Discount,
  DiscountPlatform,
  DiscountRange,
  DiscountType,
  DiscountValueType,
  GiftQuantityType,
  ProductsFor,
  RangeFilterType,
  ShadowCustomerShort,
  TimeRange,
} from '../../generated/model';
import { amount, type Body, changes, optional } from '../../lib/form/body';
import { plainRange } from '../categories-and-products/shared/draft';

/** A gift of a range. */
export interface GiftDraft {
  /** Names the row for its fields; not sent. */
  key: string;
  subproduct_id: string | null;
  quantity: number | null;
  quantity_type: GiftQuantityType;
  /** Percent of the list price that is given. */
  discount_percentage: string;
}

/** From some value or number of pieces on: what is taken. */
export interface RangeDraft {
  key: string;
  price_from: string;
  discount_value: string;
  discount_type: DiscountValueType;
  apply_on_delivery: boolean;
  free_delivery: boolean;
  apply_on_options: boolean;
  gifts: GiftDraft[];
}

export interface DiscountDraft {
  name: string;
  discount_type: DiscountType;
  code: string;
  active: boolean;
  valid_from: string | null;
  valid_till: string | null;
  time_ranges: TimeRange[];
  pickup_enabled: boolean;
  platforms: DiscountPlatform[];
  /** Null: every restaurant of the company. */
  restaurant_ids: string[] | null;
  login_needed: boolean;
  stackable: boolean;
  all_max_use_qty: number | null;
  customer_max_use_qty: number | null;
  is_daily_discount_limit: boolean;
  products_for: ProductsFor | null;
  product_category_ids: string[];
  subproduct_ids: string[];
  locked_customers: boolean;
  range_filter_type: RangeFilterType;
  apply_type: ApplyType;
  ranges: RangeDraft[];
  /** Customers to be named with the promotion once it is saved. */
  named: ShadowCustomerShort[];
  /** Ids of usages to be taken off it. */
  forgotten: string[];
}

export const TYPES = ['discount', 'coupon', 'upsell'] as const satisfies readonly DiscountType[];
/** Every channel of the restaurant's own, in the order of the form. */
export const PLATFORMS = [
  'browser',
  'android',
  'ios',
  'messenger',
  'phone',
  'take_away',
  'sit_in',
  'kiosk_sit_in',
  'kiosk_take_away',
] as const satisfies readonly DiscountPlatform[];
/** Where upsells are offered, and where a new promotion holds at first. */
export const ONLINE: DiscountPlatform[] = ['android', 'ios', 'browser'];

let count = 0;

export const newGift = (): GiftDraft => ({
  key: `new-${++count}`,
  subproduct_id: null,
  quantity: 1,
  quantity_type: 'per_cart',
  discount_percentage: '100',
});

/** What a new range takes until it is said. */
const FIRST_VALUE = '10';

export const newRange = (): RangeDraft => ({
  key: `new-${++count}`,
  price_from: '0',
  discount_value: FIRST_VALUE,
  discount_type: 'percent',
  apply_on_delivery: false,
  free_delivery: false,
  apply_on_options: false,
  gifts: [],
});

/**
 * A range with a part changed. Whoever gives a gift or free delivery did not ask for the percentage that a new
 * range begins with: it goes, unless it was changed.
 */
export function changedRange(range: RangeDraft, part: Partial<RangeDraft>): RangeDraft {
  const gives = ({ free_delivery, gifts }: RangeDraft) => free_delivery || gifts.length > 0;
  const next = { ...range, ...part };
  const untouched =
    range.key.startsWith('new-') && range.discount_type === 'percent' && range.discount_value === FIRST_VALUE;
  return untouched && !gives(range) && gives(next) ? { ...next, discount_value: '0' } : next;
}

export const newDiscount = (restaurant: string): DiscountDraft => ({
  name: '',
  discount_type: 'discount',
  code: '',
  active: true,
  valid_from: null,
  valid_till: null,
  time_ranges: [],
  pickup_enabled: true,
  platforms: ONLINE,
  restaurant_ids: [restaurant],
  login_needed: false,
  stackable: true,
  all_max_use_qty: null,
  customer_max_use_qty: null,
  is_daily_discount_limit: false,
  products_for: null,
  product_category_ids: [],
  subproduct_ids: [],
  locked_customers: false,
  range_filter_type: 'by_price',
  apply_type: 'apply_per_cart',
  ranges: [newRange()],
  named: [],
  forgotten: [],
});

/** Rows have no ids: their place names them, so that the same row is the same draft each time it is read. */
const rangeDraft = (range: DiscountRange, at: number): RangeDraft => ({
  key: `r${at}`,
  price_from: amount(range.price_from) ?? '0',
  discount_value: amount(range.discount_value) ?? '0',
  discount_type: range.discount_type === 'fixed_value' ? 'amount' : range.discount_type,
  apply_on_delivery: range.apply_on_delivery,
  free_delivery: range.free_delivery,
  apply_on_options: range.apply_on_options,
  gifts: range.gifts.map((gift, place) => ({
    key: `r${at}g${place}`,
    subproduct_id: gift.subproduct_id,
    quantity: gift.quantity,
    quantity_type: gift.quantity_type,
    discount_percentage: amount(gift.discount_percentage) ?? '100',
  })),
});

/** Instants in the form in which pickers give them. */
const instant = (at: string | null | undefined) => at?.replace(/\.000Z$/, 'Z') ?? null;

export const discountDraft = (row: Discount): DiscountDraft => ({
  name: row.name,
  discount_type: row.discount_type,
  code: row.code ?? '',
  active: row.active,
  valid_from: instant(row.valid_from),
  valid_till: instant(row.valid_till),
  time_ranges: row.time_ranges,
  pickup_enabled: row.pickup_enabled,
  platforms: row.platforms,
  restaurant_ids: row.restaurant_ids ?? null,
  login_needed: row.login_needed,
  stackable: row.stackable,
  all_max_use_qty: row.all_max_use_qty ?? null,
  customer_max_use_qty: row.customer_max_use_qty ?? null,
  is_daily_discount_limit: row.is_daily_discount_limit,
  products_for: row.products_for ?? null,
  product_category_ids: row.product_category_ids,
  subproduct_ids: row.subproduct_ids,
  locked_customers: row.locked_customers,
  range_filter_type: row.range_filter_type,
  apply_type: row.apply_type,
  ranges: row.ranges.map(rangeDraft),
  named: [],
  forgotten: [],
});

/** What an upsell cannot have, as it is where nothing is said. */
const CLEARED = {
  products_for: null,
  product_category_ids: [],
  subproduct_ids: [],
  valid_from: null,
  valid_till: null,
  time_ranges: [],
  all_max_use_qty: null,
  customer_max_use_qty: null,
  is_daily_discount_limit: false,
  login_needed: false,
  locked_customers: false,
  named: [],
  forgotten: [],
} satisfies Partial<DiscountDraft>;

/** Another type: code and ranges begin anew, and an upsell loses what it cannot have. */
export function withType(draft: DiscountDraft, type: DiscountType): DiscountDraft {
  const fresh = { ...draft, discount_type: type, code: '', ranges: [newRange()] };
  if (type === 'upsell') return { ...fresh, ...CLEARED, stackable: false, platforms: ONLINE };
  return draft.discount_type === 'upsell' ? { ...fresh, stackable: true } : fresh;
}

/** The restaurants chosen; none is the present one. */
export const chosenRestaurants = (ids: string[], here: string): string[] => (ids.length > 0 ? ids : [here]);

function rangeBody(draft: RangeDraft): Body {
  const { key: _, gifts, ...range } = draft;
  return {
    ...range,
    price_from: amount(range.price_from),
    discount_value: amount(range.discount_value),
    gifts: gifts.map(({ subproduct_id, quantity, quantity_type, discount_percentage }) => ({
      subproduct_id,
      quantity,
      quantity_type,
      discount_percentage: amount(discount_percentage),
    })),
  };
}

function whole(draft: DiscountDraft): Body {
  const { named: _, forgotten: __, ...row } = draft;
  const some = draft.products_for !== null;
  return {
    ...row,
    name: row.name.trim(),
    code: row.discount_type === 'coupon' ? optional(row.code) : null,
    time_ranges: row.time_ranges.map(plainRange),
    // In one order, whichever was chosen first.
    platforms: PLATFORMS.filter((platform) => row.platforms.includes(platform)),
    product_category_ids: some ? row.product_category_ids : [],
    subproduct_ids: some ? row.subproduct_ids : [],
    ranges: row.ranges.map(rangeBody),
  };
}

/** What becomes of the named customers, in calls of their own after the promotion is saved. */
export interface UsagesBody {
  add: string[];
  remove: string[];
}

/**
 * The body of a save: of a new promotion everything, else what differs. `usages` stands beside it while
 * customers are to be named or taken off; without the lock there are none.
 */
export function discountBody(draft: DiscountDraft, base?: DiscountDraft): Body {
  const body = base ? changes(whole(base), whole(draft)) : whole(draft);
  const usages: UsagesBody = { add: draft.named.map(({ id }) => id), remove: draft.forgotten };
  const changed = draft.locked_customers && usages.add.length + usages.remove.length > 0;
  return changed ? { ...body, usages } : body;
}
