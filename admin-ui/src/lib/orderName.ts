import type { TFunction } from 'i18next';

/**
 * What an order is called wherever it is named. A number with a letter before it is no ordinal: `12. rendelés`, but
 * `B12 rendelés`; before it has a number a word says so.
 */
export function orderName(t: TFunction, counter: string | null | undefined): string {
  if (!counter) return t('order.no_counter');
  return t(/^\d+$/.test(counter) ? 'order.title' : 'order.title_prefixed', { number: counter });
}
