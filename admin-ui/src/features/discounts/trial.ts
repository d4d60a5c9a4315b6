import type {
  Discount,
  DiscountPlatform,
  DiscountTrial,
  NewDiscount,
  QuotePromotion,
  ShadowCustomerShort,
} from '../../generated/model';
import { discountBody, type DiscountDraft, PLATFORMS } from './draft';

/** Platforms on which the guest chooses between delivery and fetching it. */
const OPEN: readonly DiscountPlatform[] = ['android', 'ios', 'browser', 'messenger', 'phone'];

/** What is said of an order that is tried; what is absent follows the promotion. */
export interface Asked {
  platform?: DiscountPlatform;
  pickup: boolean;
  at: string | null;
  code?: string;
}

/** How it is ordered: unless said otherwise where the promotion holds, and with its code. */
export const circumstances = (asked: Asked, draft: DiscountDraft) => {
  const platform = asked.platform ?? PLATFORMS.find((one) => draft.platforms.includes(one)) ?? 'browser';
  const mayFetch = OPEN.includes(platform);
  return { platform, mayFetch, pickup: mayFetch && asked.pickup, code: asked.code ?? draft.code };
};

interface Trial {
  draft: DiscountDraft;
  row: Discount | null | undefined;
  asked: Asked;
  items: DiscountTrial['cart']['items'];
  customer: ShadowCustomerShort | undefined;
}

export function trialBody({ draft, row, asked, items, customer }: Trial): DiscountTrial {
  const { platform, pickup, code } = circumstances(asked, draft);
  const { usages: _, ...body } = discountBody(draft);
  // A draft has no list of customers: for one who will be on it, it is as good as open.
  const listed = customer !== undefined && draft.named.some(({ id }) => id === customer.id);
  return {
    cart: {
      platform,
      pickup,
      items,
      ...(code.trim() ? { coupon_code: code.trim() } : {}),
      ...(customer ? { customer_id: customer.id } : {}),
    },
    draft: (listed ? { ...body, locked_customers: false } : body) as unknown as NewDiscount,
    ...(row ? { draft_of: row.id } : {}),
    ...(asked.at ? { ordered_at: asked.at } : {}),
  };
}

/** The one that is tried first, then those that apply, then those that do not. */
export const inOrder = (promotions: readonly QuotePromotion[], own: string | undefined): QuotePromotion[] => {
  const rank = ({ name, reason }: QuotePromotion) => (name === own ? 0 : reason ? 2 : 1);
  return promotions.toSorted((a, b) => rank(a) - rank(b));
};
