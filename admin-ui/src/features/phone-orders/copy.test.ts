import { expect, it } from 'vitest';
import type { Order } from '../../generated/model';
import { sampleOrder } from '../order/sample.test-data';
import { bookOf } from '../order-taking/menu';
import { MENU } from '../order-taking/sample.test-data';
import { FRESH } from './draft';
import { copyOf, draftFrom, wholeOf } from './initial';

const book = bookOf(MENU);
const draftOf = (one: Order, of = copyOf) => {
  const { initial, missing } = of(one, book);
  return { draft: draftFrom(initial), missing };
};
const [first, second] = sampleOrder().items;
const order: Order = sampleOrder({
  message: 'A csengő rossz',
  tip: 500,
  coupon_code: 'NYAR',
  items: [
    { ...first!, subproduct_id: 'c', message: 'hidegen', item_options: [] },
    { ...second!, subproduct_id: 'gone' },
  ],
});

it('copies guest, address and what the menu still has, and names the rest', () => {
  const { draft, missing } = draftOf(order);
  expect(draft).toMatchObject({
    phone: '+36301234567',
    first_name: 'Réka',
    last_name: 'Kovács',
    email: 'reka@pult.example',
    message: 'A csengő rossz',
    pickup: false,
    address: { postcode: '1061', city: 'Budapest', street: 'Szív utca', premise_number: '14' },
  });
  expect(draft.cart.lines).toMatchObject([{ subproduct_id: 'c', quantity: 2, message: 'hidegen' }]);
  expect(missing).toEqual([{ name: 'Szódavíz, 0,5 l', why: 'gone', options: [] }]);
});

it('leaves time, payment, tip and coupon to be said anew', () => {
  const { draft } = draftOf(order);
  const { customer_id, expected_at, later, payment_method_id, tip, coupon_code } = draft;
  expect({ customer_id, expected_at, later, payment_method_id, tip, coupon_code }).toEqual({
    customer_id: FRESH.customer_id,
    expected_at: null,
    later: false,
    payment_method_id: null,
    tip: FRESH.tip,
    coupon_code: '',
  });
});

it('begins with all of an order that another takes the place of', () => {
  const { draft } = draftOf(
    {
      ...order,
      is_preorder: true,
      expected_at: '2030-01-02T11:00:00Z',
      coord_lat: 47.5,
      coord_lng: 19.04,
      delivery_found_by: 'geocoded',
      payment_method_id: 'cash',
    },
    wholeOf,
  );
  expect(draft).toMatchObject({
    later: true,
    expected_at: '2030-01-02T11:00:00Z',
    payment_method_id: 'cash',
    coupon_code: 'NYAR',
    tip: { by: 'amount', amount: '500' },
    // What a geocoder found is looked up again.
    point: null,
    by_hand: null,
  });
});

it('keeps a region that staff chose, with the reason, and the guest who is known', () => {
  const chosen = {
    delivery_found_by: 'staff',
    delivery_region_id: 'north',
    delivery_override_reason: 'törzsvendég',
  };
  const { draft } = draftOf({ ...order, ...chosen, customer_id: 'known', is_preorder: false }, wholeOf);
  expect(draft).toMatchObject({
    customer_id: 'known',
    by_hand: true,
    delivery_region_id: 'north',
    override: true,
    override_reason: 'törzsvendég',
    later: false,
    expected_at: null,
  });
});
