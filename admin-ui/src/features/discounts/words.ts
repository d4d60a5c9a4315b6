import type { Discount, DiscountRange, TimeRange } from '../../generated/model';
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
          : t('discounts.from_pieces', {
              count: Number(range.price_from),
              number: formatNumber(shown.language, range.price_from),
            });
      return `${from}: ${what}`;
    })
    .join('; ');
}

/** A name as typed, whose amounts stay on one line: `8 000 Ft`. */
export const unbroken = (name: string): string => name.replace(/(?<=\d) (?=\d{3}(?!\d)|Ft|€|%)/g, '\u00a0');

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
/** A Monday, from which the days get their names. */
const MONDAY = Date.UTC(2024, 0, 1);

/** Days of the week in a row as one: `H–P`. */
function daysText(days: readonly TimeRange['day'][], language: Language): string {
  if (days.includes('every_day')) return t('day.every_day');
  const names = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' });
  const name = (at: number) => names.format(MONDAY + at * 86_400_000);
  const numbers = days.map((day) => DAYS.indexOf(day)).toSorted((a, b) => a - b);
  const runs: number[][] = [];
  for (const at of numbers) {
    const run = runs.at(-1);
    if (run?.at(-1) === at - 1) run.push(at);
    else runs.push([at]);
  }
  return runs
    .map((run) => (run.length > 2 ? `${name(run[0]!)}–${name(run.at(-1)!)}` : run.map(name).join(', ')))
    .join(', ');
}

/** When one orders with it: `H–P 11:00–14:00`. */
export function timesText(ranges: readonly TimeRange[], language: Language): string {
  const byTime = new Map<string, Set<TimeRange['day']>>();
  for (const { day, from, till } of ranges) {
    const time = `${from}–${till}`;
    byTime.set(time, (byTime.get(time) ?? new Set()).add(day));
  }
  return [...byTime].map(([time, days]) => `${daysText([...days], language)} ${time}`).join('; ');
}

type Conditions = Pick<
  Discount,
  'products_for' | 'product_categories' | 'subproducts' | 'time_ranges' | 'locked_customers' | 'usage_qty'
>;

/** For what, when and for whom a promotion holds; nothing where it does so for all. */
export function conditions(row: Conditions, language: Language): string[] {
  const names = [...row.product_categories.map(({ name }) => name), ...row.subproducts.map(sizeLabel)].join(
    ', ',
  );
  return [
    ...(row.products_for === 'inclusion' ? [t('discounts.only_for', { names })] : []),
    ...(row.products_for === 'exclusion' ? [t('discounts.not_for', { names })] : []),
    ...(row.time_ranges.length > 0 ? [timesText(row.time_ranges, language)] : []),
    ...(row.locked_customers ? [t('discounts.for_customers', { count: row.usage_qty })] : []),
  ];
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
