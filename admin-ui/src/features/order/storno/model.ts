/** Partial stornos: what is taken back and what it is worth. Nothing here asks anybody. */
import type { PartialStorno } from '../../../generated/model';
import type { Order, OrderItem } from '../model';
import { atLeastZero, hundredths, share } from '../payments/exact';
import { itemsOf, leftOf, type Pieces } from '../payments/model';
import { reasonBody } from '../reasons';

/** What goes back beside the lines. */
export const FEES = ['delivery', 'system_usage_fee', 'tips'] as const;
export type Fee = (typeof FEES)[number];

export interface StornoValues extends Partial<Record<Fee, boolean>> {
  items?: Pieces;
  /** A standard reason, or the id of one of the restaurant's own. */
  reason?: string;
  reason_text?: string;
  pin?: string;
}

/** What of an order is asked about a fee: the order, or a partial storno of it (below zero). */
type Charged = Pick<Order, 'delivery_price' | 'system_usage_fee' | 'tip' | 'employee_tip' | 'courier_tip'>;

const feeOf = (order: Charged, fee: Fee): bigint => {
  if (fee === 'delivery') return hundredths(order.delivery_price);
  if (fee === 'system_usage_fee') return hundredths(order.system_usage_fee);
  return hundredths(order.tip) + hundredths(order.employee_tip) + hundredths(order.courier_tip);
};

export type FeesLeft = Readonly<Record<Fee, bigint>>;

/** What is left of each fee after earlier partial stornos. */
export function feesLeft(order: Charged, stornos: readonly Charged[]): FeesLeft {
  const left = (fee: Fee) => stornos.reduce((sum, one) => sum + feeOf(one, fee), feeOf(order, fee));
  return { delivery: left('delivery'), system_usage_fee: left('system_usage_fee'), tips: left('tips') };
}

/** Nothing is left of the lines: the whole order is cancelled. */
export const takesAll = (order: Pick<Order, 'items'>, pieces: Pieces): boolean =>
  order.items.every((item) => (pieces[item.id] ?? 0) >= leftOf(item));

export function stornoBody({ items, reason, reason_text, ...fees }: StornoValues): PartialStorno {
  const text = reason_text?.trim();
  const named = FEES.filter((fee) => fees[fee]).map((fee) => [fee, true]);
  return {
    items: itemsOf(items ?? {}),
    ...Object.fromEntries(named),
    ...(reason ? reasonBody(reason) : {}),
    ...(text ? { reason_text: text } : {}),
  } as PartialStorno;
}

/** What pieces of a line are worth; a line of parts is their sum. */
function lineWorth(item: OrderItem, pieces: number, currency: string): bigint {
  const step = { of: item.quantity, before: item.reversed_quantity, pieces };
  const of = (amount: OrderItem['paid_price']) => share(amount, step, currency);
  const charged = item.parts.length > 0 ? item.parts : [item];
  return charged.reduce((sum, one) => sum + of(one.paid_price) + of(one.service_fee), of(item.deposit));
}

/** What an order costs less with it, as the service will say. */
export function stornoWorth(order: Order, values: StornoValues, fees: FeesLeft): bigint {
  const pieces = values.items ?? {};
  const all = takesAll(order, pieces);
  const ofFees = FEES.filter((fee) => all || values[fee]).reduce((sum, fee) => sum + fees[fee], 0n);
  return order.items.reduce(
    (sum, item) => sum + lineWorth(item, pieces[item.id] ?? 0, order.currency),
    ofFees,
  );
}

/** What of it the guest has paid, so that it goes back. */
export const backToGuest = (order: Pick<Order, 'due'>, worth: bigint): bigint =>
  atLeastZero(worth - atLeastZero(hundredths(order.due)));
