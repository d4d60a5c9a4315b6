import { expect, it } from 'vitest';
import type { Order } from '../../generated/model';
import { sampleOrder } from '../order/sample.test-data';
import { bookOf } from '../order-taking/menu';
import { MENU } from '../order-taking/sample.test-data';
import { FRESH } from './draft';
import { draftOf } from './useCopy';

const book = bookOf(MENU);
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
  const { draft, missing } = draftOf(order, book);
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
  const { draft } = draftOf(order, book);
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
