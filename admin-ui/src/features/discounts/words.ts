import type { Discount, DiscountRange } from '../../generated/model';
import { formatMoney, formatNumber, formatPercent, type Language } from '../../lib/format';
import { t } from '../../lib/i18n';
import type { Tone } from '../../lib/ui/page';
import { sizeLabel } from '../categories-and-products/shared/sizes';

/** What amounts are shown with. */
export interface Amounts {
  language: Language;
  currency: string;
}

/** What a range takes or gives, without from when. */
function takes(range: DiscountRange, { language, currency }: Amounts): string[] {
  const money = formatMoney(language, range.discount_value, currency);
  const nothing = Number(range.discount_value) === 0;
  const value =
    range.discount_type === 'percent'
      ? `−${formatPercent(language, range.discount_value)}`
      : range.discount_type === 'overwritten_value'
        ? t('discounts.at_price', { amount: money })
        : `−${money}`;
  return [
    ...(nothing ? [] : [value]),
    ...(range.free_delivery ? [t('discounts.with_free_delivery')] : []),
    ...range.gifts.map((gift) =>
      t('discounts.with_gift', { name: gift.subproduct ? sizeLabel(gift.subproduct) : t('discounts.gone') }),
    ),
  ];
}

/** A promotion in one line: `from 8 000 Ft: free delivery`. */
export function summary(
  { ranges, range_filter_type, currency: own }: Pick<Discount, 'ranges' | 'range_filter_type' | 'currency'>,
  amounts: Amounts,
): string {
  const shown = { ...amounts, currency: own ?? amounts.currency };
  return ranges
    .map((range) => {
      const what = takes(range, shown).join(', ');
      if (Number(range.price_from) === 0) return what;
      const from =
        range_filter_type === 'by_price'
          ? t('discounts.from_price', {
              amount: formatMoney(shown.language, range.price_from, shown.currency),
            })
          : t('discounts.from_pieces', { count: formatNumber(shown.language, range.price_from) });
      return `${from}: ${what}`;
    })
    .join('; ');
}

export type State = 'off' | 'valid' | 'later' | 'over' | 'used_up';

/** Where a promotion stands. */
export function stateOf(row: Discount, now: number = Date.now()): State {
  if (!row.active) return 'off';
  if (row.isValid) return 'valid';
  if (row.valid_till && Date.parse(row.valid_till) < now) return 'over';
  return row.valid_from && Date.parse(row.valid_from) > now ? 'later' : 'used_up';
}

export const STATE_TONES: Record<State, Tone> = {
  off: 'neutral',
  valid: 'success',
  later: 'info',
  over: 'warning',
  used_up: 'warning',
};
