import { describe, expect, it } from 'vitest';
import {
  type Cart,
  type CartAction,
  cartReducer,
  EMPTY_CART,
  itemsOf,
  MOST_LINES,
  type CartEntry,
} from './cart';

const wanted = (id: string, part: Partial<CartEntry> = {}): CartEntry => ({
  subproduct_id: id,
  name: id,
  quantity: 1,
  options: {},
  message: '',
  ...part,
});
const add = (...all: CartEntry[]): CartAction => ({ type: 'add', wanted: all });
const run = (...actions: CartAction[]): Cart => actions.reduce(cartReducer, EMPTY_CART);
const shown = (cart: Cart) => cart.lines.map(({ subproduct_id, quantity }) => `${quantity} ${subproduct_id}`);

describe('the cart', () => {
  it('has the same thing once, and what differs in options or wish apart', () => {
    const cart = run(
      add(wanted('a'), wanted('b', { options: { x: 1, y: 2 } })),
      add(wanted('a', { quantity: 2 }), wanted('b', { options: { y: 2, x: 1 } }), wanted('b')),
      add(wanted('a', { message: 'no onions' }), wanted('a', { message: ' ' })),
    );
    expect(shown(cart)).toEqual(['4 a', '2 b', '1 b', '1 a']);
    expect(cart.last).toBe(cart.lines[0]!.key);
  });

  it('keeps quantities between 1 and 999', () => {
    const cart = run(add(wanted('a', { quantity: 998 })), add(wanted('a', { quantity: 5 })));
    expect(shown(cart)).toEqual(['999 a']);
    for (const [typed, kept] of [
      [0, 1],
      [-3, 1],
      [2.7, 2],
      [Number.NaN, 1],
      [5000, 999],
    ])
      expect(shown(cartReducer(cart, { type: 'quantity', key: 1, quantity: typed! }))).toEqual([`${kept} a`]);
  });

  it('a removed line comes back where it stood, once', () => {
    const cart = run(add(wanted('a'), wanted('b'), wanted('c')));
    const line = cart.lines[1]!;
    const less = cartReducer(cart, { type: 'remove', key: line.key });
    expect(shown(less)).toEqual(['1 a', '1 c']);
    const back: CartAction = { type: 'restore', line, at: 1 };
    expect(shown(cartReducer(cartReducer(less, back), back))).toEqual(['1 a', '1 b', '1 c']);
  });

  it('the last line is another one when it is removed', () => {
    const cart = run(add(wanted('a'), wanted('b')));
    expect(cartReducer(cart, { type: 'remove', key: 2 }).last).toBe(1);
    expect(run(add(wanted('a')), { type: 'remove', key: 1 }).last).toBeNull();
  });

  it('a line that becomes like another one joins it', () => {
    const cart = run(add(wanted('a', { options: { x: 1 } }), wanted('a', { quantity: 2 })));
    const change = { quantity: 1, options: {}, message: '' };
    expect(shown(cartReducer(cart, { type: 'change', key: 1, change }))).toEqual(['3 a']);
    const other = { quantity: 3, options: { y: 1 }, message: 'hot' };
    const changed = cartReducer(cart, { type: 'change', key: 1, change: other });
    expect(changed.lines[0]).toMatchObject({ key: 1, ...other });
    expect(cartReducer(cart, { type: 'change', key: 9, change })).toBe(cart);
  });

  it('takes no more lines than an order', () => {
    const many = Array.from({ length: MOST_LINES + 5 }, (_, at) => wanted(`s${at}`));
    expect(run(add(...many)).lines).toHaveLength(MOST_LINES);
  });

  it('is sent as the service takes it', () => {
    const cart = run(
      add(wanted('a', { quantity: 2, options: { y: 2, x: 1 }, message: ' hot ' }), wanted('b')),
    );
    expect(itemsOf(cart)).toEqual([
      {
        subproduct_id: 'a',
        quantity: 2,
        message: 'hot',
        item_options: [
          { option_id: 'x', quantity: 1 },
          { option_id: 'y', quantity: 2 },
        ],
      },
      { subproduct_id: 'b', quantity: 1 },
    ]);
  });
});
