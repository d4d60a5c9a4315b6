import { describe, expect, it } from 'vitest';
import { sampleOrder } from '../../order/sample.test-data';
import { contentOf, differs, draftOf, faultsOf, giftsOf } from './draft';

const [paprika, soda] = sampleOrder().items;
const order = sampleOrder({
  coupon_code: 'NYÁR',
  items: [paprika!, soda!, { ...soda!, id: 'i3', subproduct_id: 's3', gift_of: 'd1', quantity: 1 }],
});

describe('changing the items of an order', () => {
  it('begins with everything that the order has', () => {
    expect(contentOf(draftOf(order))).toEqual({
      items: [
        {
          subproduct_id: 's1',
          quantity: 2,
          message: 'kapor nélkül',
          item_options: [{ option_id: 'p1', quantity: 2 }],
        },
        { subproduct_id: 's2', quantity: 2 },
      ],
      coupon_code: 'NYÁR',
    });
    expect(giftsOf(order)).toEqual([{ promotion_id: 'd1', subproduct_id: 's3', accepted: true }]);
  });

  it('knows whether anything is another', () => {
    const base = draftOf(order);
    expect(differs({ ...base, pin: '1234' }, base)).toBe(false);
    expect(differs({ ...base, coupon_code: '' }, base)).toBe(true);
    const [first, ...others] = base.cart.lines;
    const cart = { ...base.cart, lines: [{ ...first!, quantity: 3 }, ...others] };
    expect(differs({ ...base, cart }, base)).toBe(true);
  });

  it('takes the coupon out', () => {
    expect(contentOf({ ...draftOf(order), coupon_code: '' }).coupon_code).toBeNull();
  });

  it('needs something that is ordered, and a PIN', () => {
    const base = draftOf(order);
    expect(Object.keys(faultsOf(base))).toEqual(['pin']);
    expect(Object.keys(faultsOf({ ...base, pin: '1234', cart: { ...base.cart, lines: [] } }))).toEqual([
      'cart',
    ]);
    expect(faultsOf({ ...base, pin: '1234' })).toEqual({});
  });
});
