/** The items of an order while they are changed. */
import type { Order, OrderItem, OrderItemsChange } from '../../../generated/model';
import { same } from '../../../lib/form/body';
import { type Cart, cartReducer, EMPTY_CART, itemsOf, type CartEntry } from '../../order-taking/cart';
import { FRESH, type PhoneDraft } from '../draft';

/** As they stand in the order, whatever the menu says by now: what the guest has is not lost by looking at it. */
const wantedOf = ({ subproduct_id, name, quantity, item_options, message }: OrderItem): CartEntry => ({
  subproduct_id,
  name,
  quantity,
  options: Object.fromEntries(item_options.map(({ option_id, quantity: count }) => [option_id, count])),
  message: message ?? '',
});

/** What the guest ordered; gifts follow from promotions. */
export const cartOf = ({ items }: Pick<Order, 'items'>): Cart => ({
  ...cartReducer(EMPTY_CART, {
    type: 'add',
    wanted: items.filter(({ gift_of }) => !gift_of).map(wantedOf),
  }),
  last: null,
});

/** The gifts that the order has were wanted. The service keeps them by itself, until somebody says otherwise. */
export const giftsOf = ({ items }: Pick<Order, 'items'>): PhoneDraft['gift_choices'] =>
  items.flatMap(({ gift_of, subproduct_id }) =>
    gift_of ? [{ promotion_id: gift_of, subproduct_id, accepted: true }] : [],
  );

export interface ItemsDraft extends PhoneDraft {
  /** Of somebody who may change orders. */
  pin: string;
}

/** Where it begins: the items and the coupon of the order. */
export const draftOf = (order: Order): ItemsDraft => ({
  ...FRESH,
  cart: cartOf(order),
  coupon_code: order.coupon_code ?? '',
  override_reason: order.delivery_override_reason ?? '',
  pin: '',
});

/** What is sent of the draft; equal ones change nothing. */
export function contentOf(draft: ItemsDraft): OrderItemsChange {
  const { cart, coupon_code, gift_choices, override_reason } = draft;
  const reason = override_reason.trim();
  return {
    items: itemsOf(cart),
    coupon_code: coupon_code.trim() || null,
    ...(gift_choices.length > 0 ? { gift_choices: [...gift_choices] } : {}),
    ...(reason ? { override_reason: reason } : {}),
  };
}

export const differs = (draft: ItemsDraft, base: ItemsDraft): boolean =>
  !same(contentOf(draft), contentOf(base));

const PIN = /^\d{4,8}$/;

export const faultsOf = ({ cart, pin }: ItemsDraft): Record<string, string> => ({
  ...(cart.lines.length === 0 ? { cart: 'phone_orders.cart_required' } : {}),
  ...(PIN.test(pin) ? {} : { pin: 'order.pin_missing' }),
});
