/** Reasons why an order would be refused, by the place of the screen that they are about. */
import type { OrderRefusalReason } from '../../generated/model';

export type Reason = OrderRefusalReason;
/** Where it is said: at a line of the cart, or at a part of the screen. */
export type Place = 'item' | 'when' | 'delivery' | 'coupon' | 'payment' | 'order';

const PLACES: Readonly<Record<string, Place>> = {
  closed: 'when',
  preorder_time: 'when',
  no_delivery_now: 'delivery',
  no_delivery_preorder: 'delivery',
  no_pickup_now: 'delivery',
  no_pickup_preorder: 'delivery',
  no_delivery_there: 'delivery',
  minimum_not_reached: 'delivery',
  coupon_not_applicable: 'coupon',
  payment_method_not_available: 'payment',
};

export const placeOf = ({ reason, item_index }: Reason): Place =>
  item_index === null || item_index === undefined ? (PLACES[reason] ?? 'order') : 'item';

/** Those of one place; of a line those of its position in the cart. */
export const reasonsAt = (reasons: readonly Reason[], place: Place, index?: number): Reason[] =>
  reasons.filter((one) => placeOf(one) === place && (index === undefined || one.item_index === index));

/** Somebody asked for a code that nobody has. Each look-up counts, so it is not asked for again. */
export const isUnknownCode = (reasons: readonly Reason[]): boolean =>
  reasons.some(({ reason, detail }) => reason === 'coupon_not_applicable' && !detail);

/** What staff may let pass with a reason of their own. */
export const canOverride = ({ reason }: Reason): boolean =>
  reason === 'no_delivery_there' || reason === 'minimum_not_reached';
