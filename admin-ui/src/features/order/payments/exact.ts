/**
 * Exact sums of money, in whole hundredths. The service adds up what an order costs; what somebody at the till must
 * know before the service is asked (what is to be paid in coins, the change, what goes back) is the same whole
 * numbers, never floats. The rules are those of `docs/decisions/payments.md`.
 */
import type { Amount } from '../../../lib/format';

/** The amount in hundredths. What is finer is cut off, what is no amount is nothing. */
export function hundredths(amount: Amount): bigint {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(String(amount ?? '')) ?? [];
  if (whole === undefined) return 0n;
  const value = BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0').slice(0, 2));
  return sign ? -value : value;
}

/** As the service takes amounts: a plain decimal. */
export function plain(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(3, '0');
  const fraction = digits.slice(-2).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}${fraction ? `.${fraction}` : ''}`;
}

const isHuf = (currency: string) => currency.toLowerCase() === 'huf';
/** Decimals of a currency. */
export const decimalsOf = (currency: string): number => (isHuf(currency) ? 0 : 2);
const unitOf = (currency: string): bigint => (isHuf(currency) ? 100n : 1n);
/** The smallest coin: there is none below 5 Ft. */
const coinOf = (currency: string): bigint => (isHuf(currency) ? 500n : 1n);

/** `value` ÷ `by` to whole `step`s, half away from zero. */
function rounded(value: bigint, by: bigint, step: bigint): bigint {
  const whole = by * step;
  const half = (2n * (value < 0n ? -value : value) + whole) / (2n * whole);
  return (value < 0n ? -half : half) * step;
}

export const inCoins = (value: bigint, currency: string): bigint => rounded(value, 1n, coinOf(currency));

export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const atLeastZero = (value: bigint): bigint => (value > 0n ? value : 0n);

/** The first of so many even parts. */
export function evenPart(value: bigint, parts: number, currency: string): bigint {
  const step = BigInt(Math.max(1, parts)) * unitOf(currency);
  return ((value + step - 1n) / step) * unitOf(currency);
}

/** Pieces of a line: how many it has, how many are gone, how many are meant. */
export interface Step {
  of: number;
  before: number;
  pieces: number;
}

/** What these pieces cost beyond those before, when all of the line cost `amount`. */
export function share(amount: Amount, { of, before, pieces }: Step, currency: string): bigint {
  const all = hundredths(amount);
  const upTo = (count: number) => rounded(all * BigInt(count), BigInt(of), unitOf(currency));
  return of === 0 ? 0n : upTo(before + pieces) - upTo(before);
}
