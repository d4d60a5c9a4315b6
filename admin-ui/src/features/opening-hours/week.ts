import type { Day as AnyDay, OpeningHours } from '../../generated/model';
import { parseTime } from '../../lib/fields/TimeInput';

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const satisfies readonly AnyDay[];
export type Day = (typeof DAYS)[number];

/** From and till as they are typed. */
export interface Span {
  open_at: string;
  close_at: string;
}

/** A week as it is edited: no spans is closed. */
export type Week = Record<Day, Span[]>;

/** The default span of a day that is switched on. */
export const FIRST: Span = { open_at: '11:00', close_at: '20:00' };

/** A week that is open on every day for the default span. */
export const everyDay = (): Week => Object.fromEntries(DAYS.map((day) => [day, [{ ...FIRST }]])) as Week;

/** Whether no day is open. */
export const isClosed = (week: Week): boolean => DAYS.every((day) => week[day].length === 0);

const DAY = 24 * 60;

export function toWeek(hours: readonly OpeningHours[]): Week {
  return Object.fromEntries(
    DAYS.map((day) => [
      day,
      hours.filter((h) => h.day === day).map(({ open_at, close_at }) => ({ open_at, close_at })),
    ]),
  ) as Week;
}

/** A span as it is meant; times that are none stay as typed. */
const typed = ({ open_at, close_at }: Span): Span => ({
  open_at: parseTime(open_at) ?? open_at,
  close_at: parseTime(close_at) ?? close_at,
});

/** The week as the service takes it. */
export const toHours = (week: Week): OpeningHours[] =>
  DAYS.flatMap((day) => week[day].map((span) => ({ day, ...typed(span) })));

export const sameSpans = (a: readonly Span[], b: readonly Span[]): boolean =>
  JSON.stringify(a.map(typed)) === JSON.stringify(b.map(typed));

export const sameWeek = (a: Week, b: Week): boolean =>
  JSON.stringify(toHours(a)) === JSON.stringify(toHours(b));

const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Whether a span ends on the day after the one on which it begins; equal ends are 24 hours. */
export function overnight({ open_at, close_at }: Span): boolean {
  const [from, till] = [parseTime(open_at), parseTime(close_at)];
  return from !== undefined && till !== undefined && till <= from;
}

export type Fault = 'time' | 'overlap';

/** The faults, by `day.index`. The service checks again; a span may begin where another ends. */
export function faultsOf(week: Week): Map<string, Fault> {
  const faults = new Map<string, Fault>();
  const spans: { start: number; end: number; key: string }[] = [];
  DAYS.forEach((day, number) =>
    week[day].forEach((span, index) => {
      const [from, till] = [parseTime(span.open_at), parseTime(span.close_at)];
      if (!from || !till) return void faults.set(`${day}.${index}`, 'time');
      const start = number * DAY + minutes(from);
      spans.push({
        start,
        end: start + ((minutes(till) - minutes(from) + DAY) % DAY || DAY),
        key: `${day}.${index}`,
      });
    }),
  );
  spans.sort((a, b) => a.start - b.start || a.end - b.end);
  let until = -Infinity;
  for (const { start, end, key } of spans) {
    if (start < until) faults.set(key, 'overlap');
    until = Math.max(until, end);
  }
  // Sunday's night reaches into Monday.
  const first = spans[0];
  if (first && spans.length > 1 && first.start + 7 * DAY < until) faults.set(first.key, 'overlap');
  return faults;
}
