import { parseAmount } from '../../lib/format';

/** The first day whose movements are shown unless another one is chosen. */
export const FIRST_DAY = '2010-10-10';
/** Rows of a page of orders and of movements. */
export const LEDGER_PAGE = 10;

/** A movement as it is entered. */
export interface LedgerValues {
  direction: 'in' | 'out';
  /** Without a sign. */
  value: string;
  payment_method: string;
  /** An instant. */
  transaction_at: string | null;
  comment: string;
}

/** The signed amount of a movement, as text: what goes out is negative. */
export function signed({ direction, value }: Pick<LedgerValues, 'direction' | 'value'>): string {
  const plain = parseAmount(value) ?? '';
  return direction === 'out' && plain !== '' ? `-${plain}` : plain;
}

/** Key of the text that says what is wrong with an amount; it has a direction of its own, so never a sign. */
export function valueFault(value: string): string | undefined {
  const plain = parseAmount(value);
  if (plain === undefined) return 'form.required';
  return Number(plain) > 0 ? undefined : 'customers.value_positive';
}

/** Key of the text that says what is wrong with the time of a movement. */
export function timeFault(at: string | null, now: number): string | undefined {
  if (!at) return 'form.required';
  return Date.parse(at) > now ? 'customers.time_future' : undefined;
}

/** The minute of this moment: a picker has no seconds. */
export const thisMinute = (now: number): string =>
  new Date(Math.floor(now / 60_000) * 60_000).toISOString().replace('.000Z', 'Z');

/**
 * What is sent of a movement of the balance. A time that nobody changed from the one the form began with is left
 * out: the service's clock says what now is.
 */
export const paymentBody = (values: LedgerValues, begun: string | null) => ({
  value: Number(signed(values)),
  payment_method: values.payment_method,
  ...(values.transaction_at && values.transaction_at !== begun
    ? { transaction_at: values.transaction_at }
    : {}),
  ...(values.comment.trim() ? { comment: values.comment.trim() } : {}),
});

/** What is sent of a movement of points; they always say why. */
export const pointsBody = (values: Pick<LedgerValues, 'direction' | 'value' | 'comment'>) => ({
  value: Number(signed(values)),
  comment: values.comment.trim(),
});

/** Whether there is a page behind one with so many rows: the last one is not full. */
export const hasNext = (rows: number, page: number, total: number | undefined): boolean =>
  total === undefined ? rows >= LEDGER_PAGE : (page + 1) * LEDGER_PAGE < total;
