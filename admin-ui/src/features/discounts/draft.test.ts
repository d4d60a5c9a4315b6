import { describe, expect, it } from 'vitest';
import type { Discount } from '../../generated/model';
import { ApiError } from '../../lib/http';
import {
  changedRange,
  chosenRestaurants,
  discountBody,
  type DiscountDraft,
  discountDraft,
  newDiscount,
  newGift,
  newRange,
  ONLINE,
  withType,
} from './draft';
import { discountFaults, discountPath, faultWord } from './rules';
import { SAVED } from './sample.test-data';

const HERE = 'restaurant-1';
const fresh = (change: Partial<DiscountDraft> = {}): DiscountDraft => ({
  ...newDiscount(HERE),
  name: 'Ebéd',
  ...change,
});
const customer = (id: string) => ({ id, name: 'Kovács Anna' });

/** A saved coupon with two ranges, as the service answers it. */
const row: Discount = {
  ...SAVED,
  name: 'Nyár',
  discount_type: 'coupon',
  code: 'NYAR',
  use_qty: 3,
  valid_from: '2026-06-01T08:00:00.000Z',
  time_ranges: [{ day: 'mon', from: '11:00', till: '14:00' }],
  pickup_enabled: false,
  platforms: ['ios', 'android'],
  restaurant_ids: null,
  restaurants: [],
  login_needed: true,
  stackable: false,
  all_max_use_qty: 10,
  is_daily_discount_limit: true,
  products_for: 'inclusion',
  product_category_ids: ['c1'],
  product_categories: [{ id: 'c1', name: 'Pizzák', archived: false }],
  apply_type: 'apply_per_item',
  ranges: [
    {
      price_from: 0,
      discount_value: 12.5,
      discount_type: 'percent',
      apply_on_delivery: false,
      free_delivery: true,
      apply_on_options: true,
      gifts: [{ subproduct_id: 's1', quantity: 2, quantity_type: 'per_item', discount_percentage: 100 }],
    },
    {
      price_from: 5000,
      discount_value: 500,
      discount_type: 'fixed_value',
      apply_on_delivery: false,
      free_delivery: false,
      apply_on_options: false,
      gifts: [],
    },
  ],
  version: 4,
};

describe('a new promotion', () => {
  it('begins with the defaults of the service and one range', () => {
    const { ranges, ...rest } = newDiscount(HERE);
    expect(rest).toMatchObject({
      discount_type: 'discount',
      active: true,
      stackable: true,
      pickup_enabled: true,
      platforms: ONLINE,
      restaurant_ids: [HERE],
      range_filter_type: 'by_price',
      apply_type: 'apply_per_cart',
      products_for: null,
      locked_customers: false,
    });
    expect(ranges).toMatchObject([
      { price_from: '0', discount_value: '10', discount_type: 'percent', free_delivery: false, gifts: [] },
    ]);
    expect(newGift()).toMatchObject({ quantity: 1, quantity_type: 'per_cart', discount_percentage: '100' });
  });

  it('an empty code is null, and only a coupon has one', () => {
    expect(discountBody(fresh({ discount_type: 'coupon', code: '  ' })).code).toBeNull();
    expect(discountBody(fresh({ discount_type: 'coupon', code: ' NYAR ' })).code).toBe('NYAR');
    expect(discountBody(fresh({ code: 'NYAR' })).code).toBeNull();
  });

  it('products without "for which" are none', () => {
    const chosen = { product_category_ids: ['c1'], subproduct_ids: ['s1'] };
    expect(discountBody(fresh({ ...chosen, products_for: null }))).toMatchObject({
      products_for: null,
      product_category_ids: [],
      subproduct_ids: [],
    });
    expect(discountBody(fresh({ ...chosen, products_for: 'exclusion' }))).toMatchObject(chosen);
  });
});

describe('the type', () => {
  const full = (): DiscountDraft => ({
    ...discountDraft(row),
    all_max_use_qty: 5,
    customer_max_use_qty: 1,
    valid_till: '2026-07-01T08:00:00Z',
    subproduct_ids: ['s1'],
    named: [customer('a')],
  });

  it.each(['discount', 'coupon', 'upsell'] as const)('%s: code and ranges begin anew', (type) => {
    const after = withType(full(), type);
    expect(after).toMatchObject({ discount_type: type, code: '', name: 'Nyár' });
    expect(after.ranges).toMatchObject([{ price_from: '0', discount_value: '10', gifts: [] }]);
  });

  it('an upsell loses what it cannot have, and holds on all three platforms', () => {
    expect(withType(full(), 'upsell')).toMatchObject({
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
      stackable: false,
      platforms: ['android', 'ios', 'browser'],
    });
    expect(withType(withType(full(), 'upsell'), 'discount').stackable).toBe(true);
  });

  it('another one keeps the rest', () => {
    expect(withType(full(), 'discount')).toMatchObject({
      all_max_use_qty: 5,
      platforms: ['ios', 'android'],
      stackable: false,
      locked_customers: true,
    });
  });
});

describe('a change', () => {
  const base = discountDraft(row);

  it('sends what differs, ranges whole', () => {
    expect(discountBody(discountDraft(row), base)).toEqual({});
    expect(discountBody({ ...base, name: 'Ősz' }, base)).toEqual({ name: 'Ősz' });
    const [first, second] = base.ranges;
    expect(
      discountBody({ ...base, ranges: [{ ...first!, discount_value: '20.50' }, second!] }, base),
    ).toEqual({
      ranges: [
        {
          price_from: '0',
          discount_value: '20.5',
          discount_type: 'percent',
          apply_on_delivery: false,
          free_delivery: true,
          apply_on_options: true,
          gifts: [
            { subproduct_id: 's1', quantity: 2, quantity_type: 'per_item', discount_percentage: '100' },
          ],
        },
        {
          price_from: '5000',
          discount_value: '500',
          discount_type: 'amount',
          apply_on_delivery: false,
          free_delivery: false,
          apply_on_options: false,
          gifts: [],
        },
      ],
    });
  });

  it('the order in which platforms were chosen is none', () => {
    expect(discountBody({ ...base, platforms: ['android', 'ios'] }, base)).toEqual({});
  });

  it('customers stand beside it, and only while it is locked', () => {
    const named = { ...base, named: [customer('a')], forgotten: ['u1'] };
    expect(discountBody(named, base)).toEqual({ usages: { add: ['a'], remove: ['u1'] } });
    expect(discountBody({ ...named, locked_customers: false }, base)).toEqual({ locked_customers: false });
  });

  it('no restaurant is the present one', () => {
    expect(chosenRestaurants([], HERE)).toEqual([HERE]);
    expect(chosenRestaurants(['other'], HERE)).toEqual(['other']);
  });
});

describe('what is refused', () => {
  const range = (change: object) => ({ ...newRange(), key: 'r', ...change });
  const gift = (change: object) => ({ ...newGift(), key: 'g', subproduct_id: 's1', ...change });
  it.each<[string, Partial<DiscountDraft>, Record<string, string>]>([
    ['nothing', {}, {}],
    ['no name', { name: ' ' }, { name: 'form.required' }],
    ['a coupon without a code', { discount_type: 'coupon' }, { code: 'form.required' }],
    ['no platform', { platforms: [] }, { platforms: 'discounts.missing_platforms' }],
    ['no range', { ranges: [] }, { ranges: 'discounts.missing_ranges' }],
    [
      'no beginning',
      { ranges: [range({ price_from: '' })] },
      { 'ranges.r.price_from': 'discounts.missing_ranges' },
    ],
    [
      'no value',
      { ranges: [range({ discount_value: '' })] },
      { 'ranges.r.discount_value': 'discounts.missing_ranges' },
    ],
    [
      'a value of 0',
      { ranges: [range({ discount_value: '0' })] },
      { 'ranges.r.discount_value': 'discounts.value_min' },
    ],
    ['0 with free delivery', { ranges: [range({ discount_value: '0', free_delivery: true })] }, {}],
    ['0 with a gift', { ranges: [range({ discount_value: '0', gifts: [gift({})] })] }, {}],
    [
      'half a forint with a gift',
      { ranges: [range({ discount_value: '0.5', gifts: [gift({})] })] },
      { 'ranges.r.discount_value': 'discounts.value_min' },
    ],
    [
      'more than everything',
      { ranges: [range({ discount_value: '101' })] },
      { 'ranges.r.discount_value': 'discounts.percent_max' },
    ],
    [
      'an amount of more than 100',
      { ranges: [range({ discount_value: '101', discount_type: 'amount' })] },
      {},
    ],
    [
      'two beginnings alike',
      { ranges: [range({ key: 'a', price_from: '100' }), range({ price_from: '100.0' })] },
      { 'ranges.r.price_from': 'discounts.same_from' },
    ],
    [
      'no piece of a gift',
      { ranges: [range({ gifts: [gift({ quantity: 0 })] })] },
      { 'ranges.r.gifts.g.quantity': 'discounts.gift_quantity_error' },
    ],
    [
      'a gift of nothing',
      { ranges: [range({ gifts: [gift({ subproduct_id: null })] })] },
      { 'ranges.r.gifts.g.subproduct_id': 'form.required' },
    ],
    [
      'crossed dates',
      { valid_from: '2026-02-01T00:00:00Z', valid_till: '2026-01-31T23:59:00Z' },
      { valid_till: 'discounts.datetime_error' },
    ],
    ['equal dates', { valid_from: '2026-02-01T00:00:00Z', valid_till: '2026-02-01T00:00:00Z' }, {}],
    [
      'products without any',
      { products_for: 'exclusion' },
      { product_category_ids: 'discounts.missing_products' },
    ],
    ['one size', { products_for: 'inclusion', subproduct_ids: ['s1'] }, {}],
    [
      'half a time',
      { time_ranges: [{ day: 'mon', from: '9', till: '' }] },
      { 'time_ranges.0': 'catalogue.range_incomplete' },
    ],
  ])('%s', (_, change, faults) => {
    expect(discountFaults(fresh(change), false)).toEqual(faults);
  });

  it('a coupon with codes of its own needs none', () => {
    expect(discountFaults(fresh({ discount_type: 'coupon' }), true)).toEqual({});
  });
});

describe('what the service refuses', () => {
  const draft = discountDraft(row);
  it.each([
    ['name', 'name'],
    ['ranges', 'ranges'],
    ['ranges.1.price_from', 'ranges.r1.price_from'],
    ['ranges.0.gifts.0.quantity', 'ranges.r0.gifts.r0g0.quantity'],
    ['ranges.7.price_from', 'ranges'],
    ['product_category_ids.2', 'product_category_ids'],
    ['time_ranges.0.from', 'time_ranges.0'],
    ['shadow_customer_id', 'named'],
    ['table_ids', undefined],
    ['x', undefined],
  ])('%s stands at %s', (key, path) => {
    expect(discountPath(key, draft)).toBe(path);
  });

  it('is said in words of its own where the fault says too little', () => {
    const failure = new ApiError({
      status: 422,
      code: 'VALIDATION_FAILED',
      keys: ['code', 'name', 'ranges.3.gifts.0.quantity'],
      faults: [
        { key: 'code', fault: 'not_unique' },
        { key: 'name', fault: 'too_long' },
        { key: 'ranges.3.gifts.0.quantity', fault: 'min' },
      ],
    });
    expect(failure.keys.map((key) => faultWord(failure, key))).toEqual([
      'discounts.code_taken',
      undefined,
      'discounts.gift_quantity_error',
    ]);
  });
});

describe('a new range', () => {
  it('that gives something takes no percentage that nobody asked for', () => {
    const gift = { gifts: [newGift()] };
    expect(changedRange(newRange(), { free_delivery: true }).discount_value).toBe('0');
    expect(changedRange(newRange(), gift).discount_value).toBe('0');
    expect(changedRange({ ...newRange(), discount_value: '20' }, gift).discount_value).toBe('20');
  });

  it('of a saved promotion keeps its percentage', () => {
    const saved = { ...newRange(), key: 'r0' };
    expect(changedRange(saved, { free_delivery: true }).discount_value).toBe('10');
  });
});
