/** Drawers: what should be in one when it is closed, what was counted, what is sent. Nothing here asks anybody. */
import type {
  CountedLine,
  Currency,
  Drawer,
  DrawerLine,
  NewDrawerClose,
  NewDrawerMovement,
  MovementKind,
  UnpaidOrder,
} from '../../generated/model';
import type { Problem } from '../../lib/http';
import { hundredths, inCoins, plain } from '../order/payments/exact';

/** The most that the service takes for a drawer, as a plain decimal. */
export const MOST_OF_DRAWER = '1000000000';

/** A line of the closing form. */
export interface Line {
  /** The end of its fields' names. */
  id: string;
  payment_key: string;
  currency: Currency;
  /** What should be there once the close has booked what it assumes; a plain decimal. */
  expected: string;
  /** The part of it that closing books as assumed. */
  assumed: string;
  /** What was shown before the figures changed. */
  before?: string;
}

export const isCash = ({ payment_key }: Pick<Line, 'payment_key'>): boolean => payment_key === 'cash';
const idOf = (key: string, currency: string): string => `${key}_${currency}`;
/** Nobody's balance or points are taken on a guess, and several methods are no method. */
const bookedAs = (key: string): string => (['balance', 'points', 'split'].includes(key) ? 'cash' : key);

/** Money of the restaurant's own currency first, else as they come. */
export const ownFirst = <L extends { currency: string }>(lines: readonly L[], own: string): L[] => [
  ...lines.filter(({ currency }) => currency === own),
  ...lines.filter(({ currency }) => currency !== own),
];

/** The unpaid orders whose money will lie in this drawer: what a courier carries lies in his. */
export const unpaidHere = ({ unpaid, courier_id }: Pick<Drawer, 'unpaid' | 'courier_id'>): UnpaidOrder[] =>
  unpaid.filter((order) => (order.courier_id ?? null) === (courier_id ?? null));

/** What closing books as assumed, by line, in hundredths; cash as coins make it. */
function assumedSums(drawer: Drawer): Map<string, { payment_key: string; sum: bigint }> {
  const sums = new Map<string, { payment_key: string; sum: bigint }>();
  for (const { payment_key, due } of unpaidHere(drawer)) {
    const key = bookedAs(payment_key);
    const value = key === 'cash' ? inCoins(hundredths(due), drawer.currency) : hundredths(due);
    const id = idOf(key, drawer.currency);
    sums.set(id, { payment_key: key, sum: (sums.get(id)?.sum ?? 0n) + value });
  }
  return sums;
}

/** What is counted when a drawer is closed: cash first, which is always there. */
export function linesOf(drawer: Drawer): Line[] {
  const assumed = assumedSums(drawer);
  const lines = new Map<string, Line>();
  const put = (payment_key: string, currency: Currency, expected: bigint) => {
    const id = idOf(payment_key, currency);
    const sum = assumed.get(id)?.sum ?? 0n;
    lines.set(id, { id, payment_key, currency, expected: plain(expected + sum), assumed: plain(sum) });
  };
  put('cash', drawer.currency, 0n);
  for (const { payment_key } of assumed.values()) put(payment_key, drawer.currency, 0n);
  for (const line of drawer.lines) put(line.payment_key, line.currency, hundredths(line.expected));
  const all = [...lines.values()];
  return [...all.filter(isCash), ...all.filter((line) => !isCash(line))];
}

/** The same figures, whatever else is different. */
export const sameFigures = (one: readonly Line[], other: readonly Line[]): boolean =>
  figures(one) === figures(other);
const figures = (lines: readonly Line[]): string =>
  JSON.stringify(lines.map(({ id, expected }) => [id, expected]).toSorted());

/** The lines with the figures of now; those that are different say what they were. */
export function renewed(seen: readonly Line[], now: readonly Line[]): Line[] {
  const before = new Map(seen.map((line) => [line.id, line.expected]));
  const there = now.map((line) => {
    const was = before.get(line.id) ?? '0';
    return was === line.expected ? line : { ...line, before: was };
  });
  // What was typed stays: a line that is gone has nothing.
  const gone = seen.filter(({ id }) => !now.some((line) => line.id === id));
  return [...there, ...gone.map((line) => ({ ...line, expected: '0', assumed: '0', before: line.expected }))];
}

/** As `CONFLICT` tells them: with what closing has booked as assumed. */
export function refusedWith(current: readonly DrawerLine[], drawer: Drawer): Line[] {
  const told = new Map(current.map((line) => [idOf(line.payment_key, line.currency), line]));
  const known = linesOf(drawer).map((line) => {
    const one = told.get(line.id);
    return one ? { ...line, expected: plain(hundredths(one.expected)) } : line;
  });
  const others = [...told].filter(([id]) => !known.some((line) => line.id === id));
  return [
    ...known,
    ...others.map(([id, { payment_key, currency, expected }]) => ({
      id,
      payment_key,
      currency,
      expected: plain(hundredths(expected)),
      assumed: '0',
    })),
  ];
}

/** The fields of the form: `counted_cash_huf`, `left_cash_huf`, `pieces_20000`, `note`. */
export type CloseValues = Record<string, string | undefined>;
export const countedName = ({ id }: Pick<Line, 'id'>): string => `counted_${id}`;
export const leftName = ({ id }: Pick<Line, 'id'>): string => `left_${id}`;
export const piecesName = (value: number): string => `pieces_${value}`;

/** Notes and coins of the forint. */
export const HUF_PIECES = [20_000, 10_000, 5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5] as const;

/** What so many notes and coins are worth; nothing while none was counted. */
export function sumOfPieces(values: CloseValues): string | undefined {
  const filled = HUF_PIECES.filter((piece) => (values[piecesName(piece)] ?? '') !== '');
  if (filled.length === 0) return undefined;
  return plain(
    filled.reduce((sum, piece) => sum + hundredths(values[piecesName(piece)]) * BigInt(piece), 0n),
  );
}

/** What was counted less what should be there, in hundredths; nothing while it was not counted. */
export const differenceOf = (line: Line, values: CloseValues): bigint | undefined => {
  const counted = values[countedName(line)];
  return counted === undefined || counted === ''
    ? undefined
    : hundredths(counted) - hundredths(line.expected);
};

export type Verdict = 'exact' | 'missing' | 'over';
export const verdictOf = (difference: bigint): Verdict =>
  difference === 0n ? 'exact' : difference < 0n ? 'missing' : 'over';

/** The type says numbers; the service takes decimal texts too, which are exact. */
const sent = (amount: string): number => amount as unknown as number;

/** The lines that were counted, in the order in which they are sent. */
const countedOf = (lines: readonly Line[], values: CloseValues): Line[] =>
  lines.filter((line) => (values[countedName(line)] ?? '') !== '');

export function closeBody(
  lines: readonly Line[],
  values: CloseValues,
  courier: string | undefined,
): NewDrawerClose {
  const note = values.note?.trim();
  return {
    ...(courier ? { courier_id: courier } : {}),
    lines: countedOf(lines, values).map((line): CountedLine => {
      const left = values[leftName(line)];
      return {
        payment_key: line.payment_key,
        currency: line.currency,
        counted: sent(values[countedName(line)]!),
        ...(isCash(line) && left ? { left_over: sent(left) } : {}),
        expected: sent(line.expected),
      };
    }),
    ...(note ? { note } : {}),
  };
}

const FIELDS: Readonly<Record<string, (line: Line) => string>> = {
  counted: countedName,
  left_over: leftName,
};

/** A refusal names lines by their number; the form's fields have other names. */
export function atFields(problem: Problem, lines: readonly Line[], values: CloseValues): Problem {
  const counted = countedOf(lines, values);
  const fieldOf = (key: string): string => {
    const [, at, name = ''] = /^lines\.(\d+)\.(\w+)$/.exec(key) ?? [];
    const line = at === undefined ? undefined : counted[Number(at)];
    return line ? (FIELDS[name] ?? countedName)(line) : key;
  };
  return {
    ...problem,
    ...(problem.keys ? { keys: problem.keys.map(fieldOf) } : {}),
    ...(problem.faults
      ? { faults: problem.faults.map((one) => ({ ...one, ...(one.key ? { key: fieldOf(one.key) } : {}) })) }
      : {}),
  };
}

export interface MoveValues {
  value: string;
  currency?: Currency;
  reason: string;
  courier_id?: string;
  /** He hands in more than he holds, and somebody has looked at it. */
  confirmed?: boolean;
}

export function moveBody(
  kind: MovementKind,
  values: MoveValues,
  courier: string | undefined,
): NewDrawerMovement {
  const whose = kind === 'hand_in' ? values.courier_id : courier;
  return {
    kind,
    value: sent(values.value),
    ...(values.currency ? { currency: values.currency } : {}),
    reason: values.reason.trim(),
    ...(whose ? { courier_id: whose } : {}),
    ...(kind === 'hand_in' && values.confirmed ? { confirmed: true } : {}),
  };
}
