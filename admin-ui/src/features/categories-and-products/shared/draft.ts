import { parseTime } from '../../../lib/fields/TimeInput';
import type { Inheritable, TimeRange, Visible } from './types';
import { CHANNELS } from './types';

/** Currencies without coins: amounts are cut to whole ones. */
export const decimalsOf = (currency: string): number => (currency.toLowerCase() === 'huf' ? 0 : 2);

/** Cuts off what a currency cannot express; never rounds up. */
export function truncate(plain: string, decimals: number): string {
  const [whole = '0', fraction = ''] = plain.split('.');
  return decimals === 0 || fraction === '' ? whole : `${whole}.${fraction.slice(0, decimals)}`;
}

/** The inheritable part of a row, for drafts. */
export const inheritableOf = (row: Inheritable): Inheritable => ({
  vat_id: row.vat_id,
  sit_in_vat_id: row.sit_in_vat_id,
  has_tip: row.has_tip,
  ntak_category_id: row.ntak_category_id,
  ntak_quantity_unit: row.ntak_quantity_unit,
  ...visibleOf(row),
});
export const visibleOf = (row: Visible): Visible =>
  Object.fromEntries(CHANNELS.map((channel) => [channel, row[channel] ?? null])) as Visible;

export const INHERITS_VISIBLE = Object.fromEntries(CHANNELS.map((channel) => [channel, null])) as Visible;
export const INHERITS: Inheritable = {
  vat_id: null,
  sit_in_vat_id: null,
  has_tip: null,
  ntak_category_id: null,
  ntak_quantity_unit: null,
  ...INHERITS_VISIBLE,
};

/** Texts of a row as inputs hold them. */
export const textsOf = (row: {
  name: string;
  name_sec_lang: string | null;
  description?: string | null;
  description_sec_lang?: string | null;
}) => ({
  name: row.name,
  name_sec_lang: row.name_sec_lang ?? '',
  description: row.description ?? '',
  description_sec_lang: row.description_sec_lang ?? '',
});

export const NO_TEXTS = { name: '', name_sec_lang: '', description: '', description_sec_lang: '' };

/**
 * Instants of a row in the one form in which pickers give them, so that picking the same again changes
 * nothing.
 */
export const scheduleOf = (row: Period) => {
  const plain = (instant: string | null) => instant?.replace(/\.000Z$/, 'Z') ?? null;
  return {
    available_from: plain(row.available_from),
    available_to: plain(row.available_to),
    expected_at: plain(row.expected_at),
  };
};

/** Of a new row: it is offered at all times. */
export const NO_PERIOD = { available_from: null, available_to: null, expected_at: null };

interface Period {
  available_from: string | null;
  available_to: string | null;
  expected_at: string | null;
}

/** Turning availability on sets its beginning to now; off clears both ends. */
export const availability = (
  on: boolean,
  now: Date = new Date(),
): { available_from: string | null; available_to: string | null } => ({
  available_from: on ? now.toISOString().replace(/:\d\d\.\d{3}Z$/, ':00Z') : null,
  available_to: null,
});

export const DEFAULT_RANGE: TimeRange = { day: 'every_day', from: '11:00', till: '20:00' };

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const satisfies TimeRange['day'][];

/** A range for each weekday in the place of one: the service knows single days and every day. */
export const onWeekdays = (ranges: readonly TimeRange[], index: number): TimeRange[] =>
  ranges.flatMap((range, at) =>
    at === index ? DAYS.slice(0, 5).map((day) => ({ ...range, day })) : [range],
  );

/** The range that is added: the day after the last one at its times. */
export function nextRange(ranges: readonly TimeRange[]): TimeRange {
  const last = ranges.at(-1);
  const at = DAYS.findIndex((day) => day === last?.day);
  const day = at < 0 ? undefined : DAYS[at + 1];
  return last && day ? { ...last, day } : DEFAULT_RANGE;
}

/** A range that ends before it begins reaches into the next day; equal ends are 24 hours. */
export const crossesMidnight = (range: TimeRange): boolean =>
  isTime(range.from) && isTime(range.till) && range.till <= range.from;

const isTime = (text: string): boolean => /^\d\d:\d\d$/.test(text);

/** Times in the form of the API: `9.30` becomes 09:30. */
export const plainRange = (range: TimeRange): TimeRange => ({
  ...range,
  from: parseTime(range.from) ?? range.from,
  till: parseTime(range.till) ?? range.till,
});

/** Faults of the times that a form shows at their row. */
export const rangeFaults = (ranges: readonly TimeRange[]): number[] =>
  ranges.flatMap((range, index) => (parseTime(range.from) && parseTime(range.till) ? [] : [index]));

/** Texts that exist in the first language but not in the second. */
export const untranslated = (row: {
  name: string;
  name_sec_lang: string;
  description?: string;
  description_sec_lang?: string;
}): number =>
  Number(row.name.trim() !== '' && row.name_sec_lang.trim() === '') +
  Number(Boolean(row.description?.trim()) && !row.description_sec_lang?.trim());
