import { describe, expect, it } from 'vitest';
import type { Quote, ShadowCustomerByPhone } from '../../generated/model';
import { addressValues } from '../customers/shared/address';
import { cartReducer, EMPTY_CART } from '../order-taking/cart';
import {
  addressAgain,
  addressChange,
  type Around,
  FRESH,
  isFresh,
  orderBody,
  type PhoneDraft,
  place,
  quoteBody,
  validate,
} from './draft';

const cart = cartReducer(EMPTY_CART, {
  type: 'add',
  wanted: [{ subproduct_id: 's', name: 'S', quantity: 2, options: {}, message: '' }],
});
const AROUND: Around = { payment_method_id: 'cash', cash: true, tip: 200, unknownCode: undefined };
const address = {
  ...addressValues(),
  city: ' Budapest ',
  street: 'Szív utca',
  premise_number: '14',
  floor: '2',
};
const FULL: PhoneDraft = {
  ...FRESH,
  phone: ' 06 1 555 0100 ',
  last_name: 'Próba',
  address,
  cart,
};
const bodyOf = (part: Partial<PhoneDraft>, around: Partial<Around> = {}) =>
  quoteBody({ ...FULL, ...part }, { ...AROUND, ...around });

describe('what is missing', () => {
  it('is said in the order of the screen', () => {
    expect(Object.keys(validate(FRESH))).toEqual([
      'phone',
      'last_name',
      'address.city',
      'address.street',
      'address.premise_number',
      'cart',
    ]);
    expect(validate(FULL)).toEqual({});
  });

  it.each<[Partial<PhoneDraft>, string[]]>([
    [{ pickup: true, address: addressValues() }, []],
    // Odd numbers are doubted, not refused.
    [{ phone: '555' }, []],
    [{ last_name: ' ', first_name: 'Réka' }, []],
    [{ email: 'reka@' }, ['email']],
    [{ override: true, override_reason: ' ' }, ['override_reason']],
    [{ by_hand: true }, ['delivery_region_id']],
    [{ by_hand: true, override: true, pickup: true }, []],
    [{ later: true }, ['expected_at']],
    [{ later: true, expected_at: '2020-01-01T10:00:00Z' }, ['expected_at']],
    [{ expected_at: '2020-01-01T10:00:00Z' }, []],
  ])('%j', (part, paths) => expect(Object.keys(validate({ ...FULL, ...part }))).toEqual(paths));
});

it('a draft is fresh until something is said, and when the cart was emptied again', () => {
  expect(isFresh(FRESH)).toBe(true);
  expect(isFresh({ ...FRESH, pickup: true })).toBe(false);
  expect(isFresh({ ...FRESH, cart: cartReducer(cart, { type: 'remove', key: 1 }) })).toBe(true);
});

describe('what is priced', () => {
  it('is nothing without items', () => {
    expect(bodyOf({ cart: EMPTY_CART })).toBeUndefined();
  });

  it('is all that changes a price, without blanks', () => {
    expect(bodyOf({ customer_id: 'c', email: 'x', coupon_code: ' NYAR ' })).toEqual({
      platform: 'phone',
      pickup: false,
      items: [{ subproduct_id: 's', quantity: 2 }],
      customer_id: 'c',
      phone_1: '06 1 555 0100',
      tip: 200,
      payment_method_id: 'cash',
      coupon_code: 'NYAR',
      delivery_data: { city: 'Budapest', street: 'Szív utca', premise_number: '14', floor: '2' },
    });
  });

  it('has no place where it is fetched, and none before all of it was said', () => {
    const chosen = { by_hand: true, delivery_region_id: 'r', override: true, override_reason: 'regular' };
    const keys = ['delivery_data', 'delivery_region_id', 'override_reason'];
    expect(Object.keys(bodyOf({ ...chosen, pickup: true })!).filter((key) => keys.includes(key))).toEqual([]);
    for (const missing of ['street', 'premise_number'])
      expect(bodyOf({ address: { ...address, [missing]: ' ' } })).not.toHaveProperty('delivery_data');
    expect(bodyOf(chosen)).toMatchObject({ delivery_region_id: 'r', override_reason: 'regular' });
    // What was chosen and given up again is not sent.
    expect(bodyOf({ ...chosen, by_hand: false, override: false })).not.toHaveProperty('override_reason');
  });

  it('has the coordinates of a known address until another place is typed', () => {
    const known = { ...FULL, point: { lat: 47.5, lng: 19.05 } };
    expect(quoteBody(known, AROUND)).toMatchObject({ coord_lat: 47.5, coord_lng: 19.05 });
    expect(bodyOf({ ...known, pickup: true })).not.toHaveProperty('coord_lat');
    expect(addressChange(known, 'floor', '3').point).toEqual(known.point);
    expect(bodyOf({ ...known, ...addressChange(known, 'street', 'Fő utca') })).not.toHaveProperty(
      'coord_lat',
    );
  });

  it('looks for a code that nobody has once', () => {
    expect(bodyOf({ coupon_code: 'NINCS' }, { unknownCode: 'NINCS' })).not.toHaveProperty('coupon_code');
    expect(bodyOf({ coupon_code: 'NINCSEN' }, { unknownCode: 'NINCS' })).toHaveProperty('coupon_code');
  });

  it('has a time only where it is wanted later', () => {
    const expected_at = '2026-07-01T10:00:00Z';
    expect(bodyOf({ expected_at })).not.toHaveProperty('expected_at');
    expect(bodyOf({ expected_at, later: true })).toHaveProperty('expected_at', expected_at);
  });
});

describe('an earlier order again', () => {
  const data = { city: 'Budapest', street: 'Fő utca', premise_number: '1' };
  const known = { ...addressValues(data), name: 'Munka', id: 'k', coord_lat: 47.5, coord_lng: 19.05 };
  const customer = { addresses: [known, { ...addressValues(address), id: 'h' }] } as unknown as Pick<
    ShadowCustomerByPhone,
    'addresses'
  >;

  it('fills its address, as it is known, where none or another of the customer stands', () => {
    const filled = { address: { ...addressValues(data), name: 'Munka' }, point: { lat: 47.5, lng: 19.05 } };
    expect(addressAgain(FRESH, data, customer)).toEqual(filled);
    expect(addressAgain(FULL, data, customer)).toEqual(filled);
    expect(addressAgain(FRESH, data, null)).toEqual({ address: addressValues(data), point: null });
  });

  it('leaves what was said in this call', () => {
    expect(addressAgain(FULL, data, null)).toEqual({});
    expect(addressAgain({ ...FRESH, pickup: true }, data, customer)).toEqual({});
  });
});

it('the order sends back the price that was told', () => {
  const quote = {
    total_price: 4000,
    lines: [{ step: 'item', ref: 's', amount: 4000 }],
    items: [{ unit_price: 2000, paid_price: 4000, name: 'S' }],
  } as unknown as Quote;
  expect(orderBody({ ...FULL, message: ' ring ' }, AROUND, quote)).toMatchObject({
    last_name: 'Próba',
    message: 'ring',
    total_price: 4000,
    quoted: { lines: quote.lines, items: [{ unit_price: 2000, paid_price: 4000 }] },
  });
  expect(orderBody(FULL, AROUND, undefined)).not.toHaveProperty('quoted');
  // As it was said, though nobody can be looked for by it.
  expect(orderBody({ ...FULL, phone: ' 12 ' }, AROUND, quote)).toHaveProperty('phone_1', '12');
});

it('the order says what is paid with, where that is cash', () => {
  const sent = (pays_with: string, cash = true) =>
    orderBody({ ...FULL, pays_with }, { ...AROUND, cash }, undefined);
  expect(sent('20000')).toHaveProperty('pays_with', 20000);
  expect(sent('20000', false)).not.toHaveProperty('pays_with');
  expect(sent('')).not.toHaveProperty('pays_with');
  expect(sent('0')).not.toHaveProperty('pays_with');
  // It prices nothing.
  expect(bodyOf({ pays_with: '20000' })).not.toHaveProperty('pays_with');
  expect(place('pays_with')).toBe('pays_with');
});

it.each([
  ['delivery_data', 'address.city'],
  ['delivery_data.street', 'address.street'],
  ['phone_1', 'phone'],
  ['items.0.item_options.1', 'cart'],
  ['email', 'email'],
  ['quoted.lines', undefined],
])('the key %s stands at %s', (key, path) => expect(place(key)).toBe(path));
