/** What a quote tells of promotions, as far as it is worth saying at the phone. */
import type { GiftChoice, Quote, QuotePromotion } from '../../generated/model';

/** Reasons that the guest, or whoever takes the order, can do something about. */
const WITHIN_REACH = new Set([
  'range_not_reached',
  'pickup',
  'outside_time_range',
  'better_without',
  'customer_unknown',
  'customer_limit_reached',
]);

/** Those that apply first, then those that can still be reached; a coupon that was named is told in any case. */
export const toldOf = ({ promotions }: Pick<Quote, 'promotions'>, code: boolean): QuotePromotion[] => {
  const applied = promotions.filter(({ reason }) => !reason);
  const reachable = promotions.filter(
    ({ reason, discount_type }) =>
      reason &&
      (WITHIN_REACH.has(reason) || (code && discount_type === 'coupon' && reason !== 'code_not_given')),
  );
  return [...applied, ...reachable];
};

/** The choice of a gift, said anew. */
export const withChoice = (choices: readonly GiftChoice[], choice: GiftChoice): GiftChoice[] => [
  ...choices.filter(
    ({ promotion_id, subproduct_id }) =>
      promotion_id !== choice.promotion_id || subproduct_id !== choice.subproduct_id,
  ),
  choice,
];

/** Steps of an explanation that stand in the cart's lines. */
export const IN_LINES: ReadonlySet<string> = new Set(['item', 'gift']);
