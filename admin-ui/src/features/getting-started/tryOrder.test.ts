import { describe, expect, it } from 'vitest';
import type { Menu, PublicPaymentMethod, Restaurant } from '../../generated/model';
import { firstLine, methodOf, tryOrder, wayOf } from './tryOrder';

const size = (id: string, over = {}) => ({
  id,
  name: id,
  price: 1000,
  available: true,
  option_group_ids: [],
  allergens: [],
  vat_percent: 27,
  ...over,
});
const menu = (sizes: object[], groups: object[] = []) =>
  ({ categories: [{ products: [{ subproducts: sizes }] }], option_groups: groups }) as unknown as Menu;
const restaurant = (over: Partial<Restaurant> = {}) =>
  ({
    normal_pickup: true,
    normal_delivery: true,
    preorder_pickup: false,
    preorder_delivery: false,
    min_days_to_preorder: 0,
    min_preorder_pickup_diff: 30,
    min_preorder_delivery_diff: 60,
    city: 'Pécs',
    street: 'Fő u.',
    premise_number: '1',
    phone_1: '+36 1 555 0199',
    ...over,
  }) as Restaurant;

describe('the test order goes a guest’s way', () => {
  it('takes the first thing that can be had', () => {
    expect(firstLine(menu([size('sold out', { available: false }), size('soup')]), 0)).toEqual({
      subproduct_id: 'soup',
      quantity: 1,
      item_options: [],
    });
    expect(firstLine(menu([size('sold out', { available: false })]), 0)).toBeUndefined();
  });

  it('chooses required options, and leaves out items whose options cannot be met', () => {
    const groups = [
      { id: 'side', min_no_options: 2, max_no_options: 2, options: [{ id: 'rice', price: 100 }] },
      {
        id: 'sauce',
        min_no_options: 1,
        max_no_options: 1,
        options: [
          { id: 'hot', price: 0 },
          { id: 'mild', price: 0 },
        ],
      },
      { id: 'extra', min_no_options: 0, max_no_options: 0, options: [{ id: 'cheese', price: 300 }] },
      { id: 'empty', min_no_options: 1, max_no_options: 1, options: [] },
    ];
    const line = firstLine(
      menu(
        [
          size('impossible', { option_group_ids: ['empty'] }),
          size('meal', { option_group_ids: ['side', 'sauce', 'extra'] }),
        ],
        groups,
      ),
      0,
    );
    expect(line).toEqual({
      subproduct_id: 'meal',
      quantity: 1,
      item_options: [
        { option_id: 'rice', quantity: 2 },
        { option_id: 'hot', quantity: 1 },
      ],
    });
  });

  it('orders as much as the least value asks for, and no more than there is', () => {
    expect(firstLine(menu([size('soup', { price: '900' })]), 2000)?.quantity).toBe(3);
    expect(firstLine(menu([size('soup', { price: '900', sellable_quantity: 2 })]), 2000)?.quantity).toBe(2);
    expect(firstLine(menu([size('free', { price: 0 })]), 2000)?.quantity).toBe(1);
  });

  it('is fetched or brought, now or later, as the restaurant offers it', () => {
    const now = Date.parse('2026-05-05T10:00:00Z');
    expect(wayOf(restaurant(), now)).toEqual({ pickup: true });
    expect(wayOf(restaurant({ normal_pickup: false }), now)).toEqual({ pickup: false });
    expect(
      wayOf(restaurant({ normal_pickup: false, normal_delivery: false, preorder_delivery: true }), now),
    ).toEqual({ pickup: false, expected_at: '2026-05-05T11:15:00.000Z' });
    const order = tryOrder(
      restaurant({ normal_pickup: false }),
      { subproduct_id: 'soup', quantity: 1, item_options: [] },
      { pickup: false },
      undefined,
      { first_name: 'a', last_name: 'b', message: 'c' },
    );
    expect(order).toMatchObject({ platform: 'browser', is_test: true, delivery_data: { city: 'Pécs' } });
    expect(order).not.toHaveProperty('payment_method_id');
  });

  it('uses a payment method without a provider', () => {
    const method = (id: string, over = {}) =>
      ({ id, type_web: true, type_delivery: true, paid_online: false, ...over }) as PublicPaymentMethod;
    expect(
      methodOf(
        [method('card', { paid_online: true }), method('till', { type_web: false }), method('cash')],
        true,
      ),
    ).toBe('cash');
    expect(methodOf([method('here', { type_delivery: false })], false)).toBeUndefined();
  });
});
