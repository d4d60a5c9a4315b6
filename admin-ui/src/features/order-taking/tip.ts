import type { Quote } from '../../generated/model';

/** What is given beside the price: the restaurant's usual share unless somebody says otherwise. */
export type Tip = { by: 'default' } | { by: 'none' } | { by: 'amount'; amount: string };

/** Currencies without a smaller unit in use. */
const WHOLE = new Set(['huf']);

/**
 * The amount that is sent. A share is one of the goods as they are paid, in the currency's smallest unit that is
 * used: the service takes amounts alone.
 */
export function tipAmount(
  tip: Tip,
  percent: number | null | undefined,
  quote: Pick<Quote, 'products_price' | 'currency'> | undefined,
): number | undefined {
  if (tip.by === 'none') return undefined;
  if (tip.by === 'amount') return Number(tip.amount) || undefined;
  if (!percent || !quote) return undefined;
  const cents = WHOLE.has(quote.currency) ? 1 : 100;
  const share = Math.round((Number(quote.products_price) * cents * percent) / 100) / cents;
  return share > 0 ? share : undefined;
}
