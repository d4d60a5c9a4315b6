/** What an order on the phone begins with where it does not begin empty: an earlier order, as a new one or whole. */
import type { Order } from '../../generated/model';
import { addressValues } from '../customers/shared/address';
import { again, type Missing } from '../order-taking/again';
import { cartReducer, EMPTY_CART, type CartEntry } from '../order-taking/cart';
import type { Book } from '../order-taking/menu';
import { FRESH, type PhoneDraft } from './draft';

/** Fields of the draft; what is left out is as in an empty one. Lines alike become one. */
export interface Initial extends Partial<Omit<PhoneDraft, 'cart' | 'cart_of_other'>> {
  lines?: readonly CartEntry[];
}

/** What of an order can be had again, and what of its items cannot. */
export interface Begun {
  initial: Initial;
  missing: readonly Missing[];
}

export const draftFrom = ({ lines = [], ...values }: Initial): PhoneDraft => ({
  ...FRESH,
  ...values,
  cart: cartReducer(EMPTY_CART, { type: 'add', wanted: lines }),
});

/**
 * The guest and the lines of an order, for another one; time, payment, tip and coupon are new. Whose the number is by
 * now is looked up as for any other.
 */
export function copyOf(order: Order, book: Book): Begun {
  const { wanted, missing } = again(order.items, book);
  const initial: Initial = {
    phone: order.phone_1 ?? '',
    first_name: order.first_name ?? '',
    last_name: order.last_name ?? '',
    email: order.email ?? '',
    message: order.message ?? '',
    pickup: order.pickup,
    address: order.delivery_data ? addressValues(order.delivery_data) : FRESH.address,
    lines: wanted,
  };
  return { initial, missing };
}

/** Ways in which a place was found that are not the guest's own pin. */
const LOOKED_UP = new Set(['geocoded', 'outside']);

/** All of an order, as it would be taken again: for one that takes its place. */
export function wholeOf(order: Order, book: Book): Begun {
  const { initial, missing } = copyOf(order, book);
  const { coord_lat: lat, coord_lng: lng, delivery_found_by, is_preorder } = order;
  const pinned =
    typeof lat === 'number' && typeof lng === 'number' && !LOOKED_UP.has(delivery_found_by ?? '');
  const override_reason = order.delivery_override_reason ?? '';
  const whole: Initial = {
    ...initial,
    customer_id: order.customer_id ?? null,
    point: pinned ? { lat, lng } : null,
    by_hand: delivery_found_by === 'staff' ? true : null,
    delivery_region_id: delivery_found_by === 'staff' ? (order.delivery_region_id ?? null) : null,
    override: override_reason !== '',
    override_reason,
    coupon_code: order.coupon_code ?? '',
    gift_choices: order.items.flatMap(({ gift_of, subproduct_id }) =>
      gift_of ? [{ promotion_id: gift_of, subproduct_id, accepted: true }] : [],
    ),
    later: is_preorder,
    expected_at: is_preorder ? (order.expected_at ?? null) : null,
    payment_method_id: order.payment_method_id ?? null,
    pays_with: order.pays_with == null ? '' : String(order.pays_with),
    tip: order.tip > 0 ? { by: 'amount', amount: String(order.tip) } : { by: 'none' },
  };
  return { initial: whole, missing };
}
