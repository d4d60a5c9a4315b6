/** An earlier order again: what of it the menu still has. */
import type { Order } from '../../generated/model';
import type { CartEntry } from './cart';
import type { Book } from './menu';
import { choose, type Chosen } from './options';

/** Something of the order that cannot be had, or only without `options`. */
export interface Missing {
  name: string;
  why: 'gone' | 'unavailable' | 'options';
  /** Names of the options that are left out. */
  options: readonly string[];
}

type Ordered = Pick<
  Order['items'][number],
  'subproduct_id' | 'name' | 'quantity' | 'message' | 'gift_of' | 'item_options'
>;

/** What is added to the cart, and what is not. Gifts are the promotions' business. */
export function again(items: readonly Ordered[], book: Book): { wanted: CartEntry[]; missing: Missing[] } {
  const wanted: CartEntry[] = [];
  const missing: Missing[] = [];
  for (const item of items) {
    if (item.gift_of) continue;
    const { name, subproduct_id, quantity } = item;
    const entry = book.byId.get(subproduct_id);
    if (entry?.stock !== 'ready') {
      missing.push({ name, why: entry?.stock ?? 'gone', options: [] });
      continue;
    }
    const left: string[] = [];
    let options: Chosen = {};
    for (const { option_id, option, quantity: count } of item.item_options) {
      const group = entry.groups.find((one) => one.options.some(({ id }) => id === option_id));
      const next = group && choose(group, options, option_id, count);
      if (next?.[option_id] === count) options = next;
      else left.push(option.name);
    }
    if (left.length > 0) missing.push({ name, why: 'options', options: left });
    wanted.push({ subproduct_id, name: entry.name, quantity, options, message: item.message ?? '' });
  }
  return { wanted, missing };
}
