import { useMemo } from 'react';
import { paymentsList } from '../../../generated/client/payments/payments';
import type { Payment } from '../../../generated/model';
import { readKey, useForget, useRead } from '../../../lib/query';
import { here } from '../../../lib/target';
import type { Order } from '../model';
import { useLiveReload } from '../useLiveReload';

/** What is odd about a payment. */
export type Mark = 'unknown' | 'other_amount' | 'conflict' | 'late' | 'not_taken' | 'refund';
type Marked = Pick<
  Payment,
  'state' | 'amount_mismatch' | 'conflict' | 'late' | 'not_taken' | 'captured' | 'attention' | 'refunds'
>;

/** Money was held, and none of it has come since. */
export const isNotTaken = ({ not_taken, captured }: Pick<Payment, 'not_taken' | 'captured'>): boolean =>
  not_taken && Number(captured) === 0;

export function marksOf(payment: Marked): Mark[] {
  const { state, amount_mismatch, conflict, late, attention, refunds } = payment;
  const marks: Mark[] = [
    ...(state === 'unknown' ? (['unknown'] as const) : []),
    ...(amount_mismatch ? (['other_amount'] as const) : []),
    ...(conflict ? (['conflict'] as const) : []),
    ...(late ? (['late'] as const) : []),
    ...(isNotTaken(payment) ? (['not_taken'] as const) : []),
  ];
  const last = refunds?.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1)).at(-1);
  // In lists a payment has no refunds: nothing else can be left that wants attention.
  const refundFailed = last
    ? attention && ['failed', 'unknown'].includes(last.state)
    : attention && marks.length === 0;
  return refundFailed ? [...marks, 'refund'] : marks;
}

/**
 * What is odd about an order's payments, by their ids: the order itself does not tell. Only what was paid at a provider,
 * or could not be given back, can be odd, so that most orders cost no call.
 */
export function useMarks(order: Order): ReadonlyMap<string, readonly Mark[]> {
  const forget = useForget();
  const own = readKey('paymentsList', 'of_order', order.id);
  const wanted =
    order.payable_transactions.some(({ provider_ref, status }) => provider_ref || status === 'unknown') ||
    order.refunds.some(({ state }) => state === 'failed' || state === 'unknown');
  const { data } = useRead(own, ({ signal }) => paymentsList(...here(), { order_id: order.id }, { signal }), {
    enabled: wanted,
    staleTime: 0,
  });
  useLiveReload(
    () => void forget([own]),
    (event) => event.order_id === order.id,
  );
  return useMemo(
    () => new Map((data ?? []).map((payment) => [payment.id, marksOf(payment)] as const)),
    [data],
  );
}
