/** Payments of an order: what may be done with them, what is offered and what is sent. Nothing here asks anybody. */
import type {
  Issuer,
  NewPayment,
  NewRefund,
  PayableTransaction,
  PaymentItem,
  PaymentRefund,
} from '../../../generated/model';
import type { Amount } from '../../../lib/format';
import type { Order, OrderRow, RowItem } from '../model';
import type { Method } from './api';
import { atLeastZero, evenPart, hundredths, inCoins, least, plain, share } from './exact';

export const ISSUERS: readonly Issuer[] = ['otp', 'mbh', 'kh'];

/** A partial storno of another order: nothing is done with it by itself. */
export const isChild = (order: Pick<OrderRow, 'order_parent_id'>): boolean => Boolean(order.order_parent_id);

/** It is being made or was made: not one that waits to be paid online, ended without it, or was cancelled. */
export const isAlive = (order: Order): boolean =>
  !order.archived_at && !isChild(order) && ['succeeded', 'processed', 'prepared'].includes(order.status);

/** Pieces of a line that partial stornos left. */
export const leftOf = ({ quantity, reversed_quantity }: Pick<RowItem, 'quantity' | 'reversed_quantity'>) =>
  quantity - (reversed_quantity ?? 0);

/** Moved, or waits for somebody to say what became of it. */
export const hasMoved = (row: PayableTransaction): boolean => row.status === 'succeeded';
const WAITS = ['created', 'pending', 'authorised', 'unknown'];
export const waits = (row: PayableTransaction): boolean => WAITS.includes(row.status);

/** The total, less what partial stornos took. */
export const totalLeft = (
  order: Pick<Order, 'total_price'> & { reversed_price?: Order['reversed_price'] | null },
): string => plain(hundredths(order.total_price) + hundredths(order.reversed_price ?? 0));

const sumOf = (rows: readonly PayableTransaction[]): bigint =>
  rows.reduce((sum, { value }) => sum + hundredths(value), 0n);

/** What payments that wait would pay. */
export const heldOf = ({ payable_transactions: rows }: Pick<Order, 'payable_transactions'>): bigint =>
  sumOf(rows.filter(waits));

/** What of that only a provider can tell. */
export const heldOnlineOf = ({ payable_transactions: rows }: Pick<Order, 'payable_transactions'>): bigint =>
  sumOf(rows.filter((row) => waits(row) && row.provider_ref));

/** How money goes back of an order that is cancelled: by its provider, released by the bank, at once, or in hand. */
export function moneyBack({
  paid,
  payable_transactions: rows,
}: Pick<Order, 'paid' | 'payable_transactions'>) {
  const moved = rows.filter(hasMoved);
  const online = sumOf(moved.filter((row) => row.provider_ref));
  const own = sumOf(moved.filter((row) => isOwnMoney(row.payment_key)));
  const held = sumOf(rows.filter(({ status, provider_ref }) => status === 'authorised' && provider_ref));
  return { online, held, own, by_hand: hundredths(paid) - online - own };
}

/** What nobody is paying yet. */
export const freeOf = (order: Pick<Order, 'due' | 'payable_transactions'>): bigint =>
  atLeastZero(hundredths(order.due) - heldOf(order));

export type PayState = 'paid' | 'part' | 'due' | 'back' | 'none';

/** `part`: something was paid and something is left; `none`: there was nothing to pay, and there is nothing. */
export function payState(order: Pick<Order, 'due' | 'paid' | 'total_price'>): PayState {
  if (Number(order.due) < 0) return 'back';
  if (Number(order.due) > 0) return Number(order.paid) > 0 ? 'part' : 'due';
  return Number(order.paid) > 0 || Number(order.total_price) === 0 ? 'paid' : 'none';
}

/** The methods that staff take money by; balance and points are a customer's. */
export const takenByHand = (methods: readonly Method[], order: Pick<Order, 'customer_id' | 'is_test'>) =>
  methods.filter(
    ({ enabled, needs, paid_online, payment_key }) =>
      enabled &&
      needs.length === 0 &&
      !paid_online &&
      payment_key !== 'split' &&
      (!isOwnMoney(payment_key) || (Boolean(order.customer_id) && !order.is_test)),
  );

/** Money that lies at the restaurant itself: no tip is given of it, and it goes back at once. */
export const isOwnMoney = (key: string | null | undefined): boolean => key === 'balance' || key === 'points';
export const isCash = (key: string | undefined): boolean => key === 'cash';
/** A terminal may be at work while the payment waits. */
export const hasTerminal = (key: string | undefined): boolean => key === 'card' || key === 'szep_kartya';

/** Pieces by the id of their line. */
export type Pieces = Readonly<Record<string, number>>;

export const itemsOf = (pieces: Pieces): PaymentItem[] =>
  Object.entries(pieces).flatMap(([order_item_id, quantity]) =>
    quantity > 0 ? [{ order_item_id, quantity }] : [],
  );

export const HOWS = ['all', 'amount', 'parts', 'items'] as const;
export type How = (typeof HOWS)[number];

/** What the fields on the screen hold; those that are not shown have nothing. */
export interface PayValues {
  payment_method_id: string;
  how: How;
  amount?: string;
  parts?: number;
  items?: Pieces;
  tip?: string;
  currency?: 'huf' | 'eur';
  handed_over?: string;
  confirmed?: 'yes' | 'no';
  issuer?: Issuer;
  authorisation_number?: string;
  payment_info?: string;
}

/** The type says numbers; the service takes decimal texts too, which are exact. */
const sent = (amount: string): number => amount as unknown as number;
const given = (amount: string | undefined): amount is string => Boolean(amount) && Number(amount) !== 0;

export function payBody(values: PayValues, currency: string): NewPayment {
  const { how, amount, parts, items, tip, handed_over, issuer } = values;
  const number = values.authorisation_number?.trim();
  const info = values.payment_info?.trim();
  const foreign = values.currency !== undefined && values.currency !== currency.toLowerCase();
  return {
    payment_method_id: values.payment_method_id,
    ...(how === 'amount' && amount ? { amount: sent(amount) } : {}),
    ...(how === 'parts' && parts ? { parts } : {}),
    ...(how === 'items' ? { items: itemsOf(items ?? {}) } : {}),
    ...(given(tip) ? { tip: sent(tip) } : {}),
    ...(given(handed_over) ? { handed_over: sent(handed_over) } : {}),
    ...(foreign ? { currency: values.currency } : {}),
    ...(values.confirmed === 'no' ? { confirmed: false } : {}),
    ...(issuer ? { issuer } : {}),
    ...(number ? { authorisation_number: number } : {}),
    ...(info ? { payment_info: info } : {}),
  } as NewPayment;
}

/** What pieces of a line cost: with options, discount, service fee and deposit. */
export function piecesPrice(order: Pick<Order, 'items'>, pieces: Pieces, currency: string): bigint {
  return order.items.reduce((sum, item) => {
    const line = plain(hundredths(item.paid_price) + hundredths(item.service_fee) + hundredths(item.deposit));
    const step = { of: item.quantity, before: item.reversed_quantity, pieces: pieces[item.id] ?? 0 };
    return sum + share(line, step, currency);
  }, 0n);
}

/** What is about to be paid. */
export interface Quoted {
  /** Of the order. */
  amount: bigint;
  /** With the tip; cash as coins make it. */
  toPay: bigint;
  /** The service may make it another one: pieces may have been paid before, which the order does not tell. */
  about: boolean;
}

export function quoted(order: Order, values: Partial<PayValues>, cash: boolean, currency: string): Quoted {
  const free = freeOf(order);
  const amounts: Record<How, () => bigint> = {
    all: () => free,
    amount: () => hundredths(values.amount),
    parts: () => evenPart(free, values.parts ?? 1, currency),
    items: () => least(piecesPrice(order, values.items ?? {}, currency), free),
  };
  const amount = amounts[values.how ?? 'all']();
  const whole = amount + hundredths(values.tip);
  const about = values.how === 'items' && order.payable_transactions.length > 0;
  return { amount, toPay: cash ? inCoins(whole, currency) : whole, about };
}

/** Round amounts that guests hand over are multiples of these, in hundredths. */
const ROUND: Readonly<Record<string, readonly bigint[]>> = {
  huf: [100_000n, 500_000n, 1_000_000n, 2_000_000n],
  eur: [500n, 1000n, 2000n, 5000n],
};

/** What a guest may hand over for this beside exactly that: the next round amounts. */
export function notes(toPay: bigint, currency: string): string[] {
  const round = (ROUND[currency.toLowerCase()] ?? ROUND.eur!).map((step) => (toPay / step + 1n) * step);
  // Who has exactly a round amount is offered that by another button.
  return [...new Set(round)].toSorted((a, b) => (a < b ? -1 : 1)).map(plain);
}

/** So many euros are worth this many forints, in hundredths; rounded up, so that they are enough. */
export const inEuros = (forints: bigint, rate: number): bigint => {
  const each = hundredths(rate);
  return each === 0n ? 0n : (forints * 100n + each - 1n) / each;
};

/** What goes back to who hands this over; nothing while it is not enough. */
export function changeOf(toPay: bigint, handed: string | undefined, currency: string): bigint | undefined {
  const left = hundredths(handed) - toPay;
  return handed && left >= 0n ? inCoins(left, currency) : undefined;
}

/** A payment with what has gone back of it and what is left. */
export interface Paid {
  row: PayableTransaction;
  left: bigint;
  leftTip: bigint;
}

const OPEN_REFUNDS = ['created', 'pending', 'unknown'];

/** What of a payment has neither gone back nor is asked to. */
export function leftToRefund(order: Order, row: PayableTransaction): Paid {
  const back = order.payable_transactions.filter(({ refunds_id }) => refunds_id === row.id);
  const asked = order.refunds.filter(
    ({ attempt_id, state }) => attempt_id === row.attempt_id && OPEN_REFUNDS.includes(state),
  );
  const left = (whole: Amount, gone: Amount[], open: Amount[]): bigint =>
    hundredths(whole) +
    gone.reduce<bigint>((sum, one) => sum + hundredths(one), 0n) -
    open.reduce<bigint>((sum, one) => sum + hundredths(one), 0n);
  return {
    row,
    left: left(
      row.value,
      back.map(({ value }) => value),
      asked.map(({ amount }) => amount),
    ),
    leftTip: left(
      row.tip,
      back.map(({ tip }) => tip),
      asked.map(({ tip }) => tip),
    ),
  };
}

/** Whether something of it can be given back by hand. */
export const canRefund = (order: Order, row: PayableTransaction): boolean => {
  if (!hasMoved(row) || !row.attempt_id || row.refund_id) return false;
  const { left, leftTip } = leftToRefund(order, row);
  return left > 0n || leftTip > 0n;
};

export interface RefundValues {
  amount: string;
  tip?: string;
  reason?: string;
  done: 'yes' | 'no';
  pin?: string;
}

export function refundBody({ amount, tip, reason, done }: RefundValues): NewRefund {
  const why = reason?.trim();
  return {
    amount: sent(amount || '0'),
    ...(given(tip) ? { tip: sent(tip) } : {}),
    ...(done === 'no' ? { done: false } : {}),
    ...(why ? { reason: why } : {}),
  } as NewRefund;
}

/** A refund that is owed no more: nothing and no person says why it did not work. */
export const isWithdrawn = ({
  state,
  reason,
  decline_code,
}: Pick<PaymentRefund, 'state' | 'reason' | 'decline_code'>): boolean =>
  state === 'failed' && !reason && !decline_code;

/** Refunds that somebody has yet to give back. */
export const isAsked = (refund: Pick<PaymentRefund, 'state'>): boolean => refund.state === 'created';

/** A provider gives it back once a person lets it go. */
export const waitsForApproval = (refund: Pick<PaymentRefund, 'state' | 'waits'>): boolean =>
  refund.waits && isAsked(refund);
