/** The cart: lines in the order in which they were said. Prices are the service's business. */
import type { CartItem } from '../../generated/model';
import { MOST_PIECES } from './menu';
import type { Chosen } from './options';

/** What is added. */
export interface CartEntry {
  subproduct_id: string;
  /** As the menu calls it, for when it is on no menu any more. */
  name: string;
  quantity: number;
  options: Chosen;
  /** A wish for this line. */
  message: string;
}

export interface Line extends CartEntry {
  /** Its own as long as the cart lives. */
  key: number;
}

export interface Cart {
  lines: readonly Line[];
  /** Of the next line. */
  next: number;
  /** The line that was added or changed last; digits mean it. */
  last: number | null;
}

export const EMPTY_CART: Cart = { lines: [], next: 1, last: null };

/** The most lines that an order takes. */
export const MOST_LINES = 200;

export type CartAction =
  | { type: 'add'; wanted: readonly CartEntry[] }
  | { type: 'quantity'; key: number; quantity: number }
  | { type: 'change'; key: number; change: Pick<CartEntry, 'quantity' | 'options' | 'message'> }
  | { type: 'remove'; key: number }
  /** Puts back what was removed, where it stood. */
  | { type: 'restore'; line: Line; at: number };

const pieces = (count: number): number => Math.min(MOST_PIECES, Math.max(1, Math.floor(count) || 1));

const ordered = (options: Chosen): [string, number][] =>
  Object.entries(options).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** The same thing, so that it is one line. */
const alike = (a: CartEntry, b: CartEntry): boolean =>
  a.subproduct_id === b.subproduct_id &&
  a.message.trim() === b.message.trim() &&
  JSON.stringify(ordered(a.options)) === JSON.stringify(ordered(b.options));

function added(cart: Cart, wanted: CartEntry): Cart {
  const line = cart.lines.find((one) => alike(one, wanted));
  if (line) return withQuantity(cart, line.key, line.quantity + wanted.quantity);
  if (cart.lines.length >= MOST_LINES) return cart;
  const { next, lines } = cart;
  return {
    lines: [...lines, { ...wanted, quantity: pieces(wanted.quantity), key: next }],
    next: next + 1,
    last: next,
  };
}

const withQuantity = (cart: Cart, key: number, quantity: number): Cart => ({
  ...cart,
  last: key,
  lines: cart.lines.map((line) => (line.key === key ? { ...line, quantity: pieces(quantity) } : line)),
});

const removed = (cart: Cart, key: number): Cart => {
  const lines = cart.lines.filter((line) => line.key !== key);
  return { ...cart, lines, last: cart.last === key ? (lines.at(-1)?.key ?? null) : cart.last };
};

export function cartReducer(cart: Cart, action: CartAction): Cart {
  switch (action.type) {
    case 'add':
      return action.wanted.reduce(added, cart);
    case 'quantity':
      return withQuantity(cart, action.key, action.quantity);
    case 'change': {
      const { key, change } = action;
      const line = cart.lines.find((one) => one.key === key);
      if (!line) return cart;
      const changed = { ...line, ...change, quantity: pieces(change.quantity) };
      const twin = cart.lines.find((one) => one.key !== key && alike(one, changed));
      if (twin) return withQuantity(removed(cart, key), twin.key, twin.quantity + changed.quantity);
      return { ...cart, last: key, lines: cart.lines.map((one) => (one.key === key ? changed : one)) };
    }
    case 'remove':
      return removed(cart, action.key);
    case 'restore': {
      if (cart.lines.some(({ key }) => key === action.line.key)) return cart;
      return { ...cart, last: action.line.key, lines: cart.lines.toSpliced(action.at, 0, action.line) };
    }
  }
}

/** As the service takes it. */
export const itemsOf = ({ lines }: Cart): CartItem[] =>
  lines.map(({ subproduct_id, quantity, options, message }) => ({
    subproduct_id,
    quantity,
    ...(message.trim() ? { message: message.trim() } : {}),
    ...(Object.keys(options).length > 0
      ? { item_options: ordered(options).map(([option_id, count]) => ({ option_id, quantity: count })) }
      : {}),
  }));
