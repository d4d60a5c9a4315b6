import { describe, expect, it } from 'vitest';
import type { RestaurantPaymentMethod } from '../../generated/model';
import { methodsByView } from './FoodStep';

const method = (id: string, given: Partial<RestaurantPaymentMethod>) =>
  ({ id, enabled: Boolean(given.enabled_web ?? given.enabled_pos), ...given }) as RestaurantPaymentMethod;

describe('payment methods of the guide', () => {
  const methods = [
    method('cash', { type_web: true, type_in_place: true, enabled_web: true, enabled_pos: true }),
    method('card', { type_web: true, type_in_place: true, enabled_web: true, enabled_pos: false }),
    method('voucher', { type_in_place: true, enabled_pos: false }),
  ];

  it('a method that is switched changes in its own views only', () => {
    expect(methodsByView(methods, new Map([['voucher', true]]))).toEqual([
      { view: 'pos', payment_method_ids: ['cash', 'voucher'] },
    ]);
  });

  it('methods that are on in one view stay so', () => {
    expect(methodsByView(methods, new Map([['cash', false]]))).toEqual([
      { view: 'web', payment_method_ids: ['card'] },
      { view: 'pos', payment_method_ids: [] },
    ]);
  });

  it('nothing is saved where nothing changed', () => {
    expect(methodsByView(methods, new Map())).toEqual([]);
  });
});
