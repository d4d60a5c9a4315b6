/** The storno report: its range in the address, and its rows put together by person or by reason. */
import dayjs from 'dayjs';
import type { StornoReportRow } from '../../generated/model';
import { StornoKind } from '../../generated/model/stornoKind';
import { PLAIN_DAY } from '../../lib/format';
import { hundredths } from '../order/payments/exact';
import { isDay } from '../previous-orders/filter';
import type { Range } from '../previous-orders/days';

export const KINDS = [
  StornoKind.refused,
  StornoKind.storno,
  StornoKind.partial_storno,
  StornoKind.changed,
] as const;

/** What the rows are put together by; the other of the two is seen when one is opened. */
export const GROUPINGS = ['person', 'reason'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** How many, and what they took off, in hundredths. */
export interface Figures {
  number: number;
  total: bigint;
}

export interface Line {
  key: string;
  name: string;
  kinds: Record<StornoKind, Figures>;
  all: Figures;
  /** By the other of person and reason. */
  parts?: Line[];
}

/** The service takes this many days at once. */
const MOST_DAYS = 366;
/** The days of a report of which nobody has said more. */
const USUAL_DAYS = 30;

export interface Asked {
  range: Range;
  by: Grouping;
  /** Why the service would refuse the range. */
  fault?: 'turned' | 'long';
}

/** What an address asks for. Seen from this business day it is up to today, and 30 days up to its last one. */
export function askedAt(search: URLSearchParams, today: string): Asked {
  const day = (name: string) => {
    const said = search.get(name) ?? '';
    return isDay(said) ? said : '';
  };
  const till = day('till') || today;
  const from = day('from') || shifted(till, 1 - USUAL_DAYS);
  const by = GROUPINGS.find((one) => one === search.get('by')) ?? 'person';
  const days = dayjs(till).diff(dayjs(from), 'day') + 1;
  if (days < 1) return { range: { from, till }, by, fault: 'turned' };
  return { range: { from, till }, by, ...(days > MOST_DAYS ? { fault: 'long' as const } : {}) };
}

const shifted = (day: string, days: number): string => dayjs(day).add(days, 'day').format(PLAIN_DAY);

const nothing = (): Figures => ({ number: 0, total: 0n });
const plus = (a: Figures, b: Figures): Figures => ({ number: a.number + b.number, total: a.total + b.total });

function lineOf(key: string, name: string, rows: readonly StornoReportRow[]): Line {
  const line: Line = {
    key,
    name,
    kinds: { refused: nothing(), storno: nothing(), partial_storno: nothing(), changed: nothing() },
    all: nothing(),
  };
  for (const row of rows) {
    const figures = { number: row.number, total: hundredths(row.total_price) };
    line.kinds[row.kind] = plus(line.kinds[row.kind], figures);
    line.all = plus(line.all, figures);
  }
  return line;
}

/** All rows as one. */
export const totals = (rows: readonly StornoReportRow[]): Line => lineOf('', '', rows);

/** A person who changed their name is one; names of persons without an id tell them apart. */
const personKey = (row: StornoReportRow): string => row.by_id ?? `name ${row.by}`;
const reasonKey = (row: StornoReportRow): string => row.reason_id ?? `standard ${row.reason ?? ''}`;

export interface Words {
  person: (row: StornoReportRow) => string;
  reason: (row: StornoReportRow) => string;
}

const bigFirst = (a: Line, b: Line): number =>
  a.all.total === b.all.total
    ? b.all.number - a.all.number || a.name.localeCompare(b.name, 'hu')
    : a.all.total > b.all.total
      ? -1
      : 1;

function linesBy(rows: readonly StornoReportRow[], by: Grouping, words: Words, above = ''): Line[] {
  const keyOf = by === 'person' ? personKey : reasonKey;
  const groups = new Map<string, StornoReportRow[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return [...groups]
    .map(([key, own]) => {
      const line = lineOf(`${above}${key}`, words[by](own[0]!), own);
      if (above) return line;
      const other = by === 'person' ? 'reason' : 'person';
      return { ...line, parts: linesBy(own, other, words, `${key} / `) };
    })
    .toSorted(bigFirst);
}

/** The rows by person or by reason, the most expensive first, each with its parts by the other. */
export const grouped = (rows: readonly StornoReportRow[], by: Grouping, words: Words): Line[] =>
  linesBy(rows, by, words);

/** Which filter of previous orders shows what a line counts; an order that was replaced is archived whole. */
export const stornoFilter = ({ kinds }: Line): 'only' | 'partial' =>
  kinds.refused.number + kinds.storno.number + kinds.changed.number > 0 ? 'only' : 'partial';
