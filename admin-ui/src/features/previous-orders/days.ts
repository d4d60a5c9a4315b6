/** Business days: they begin at the hour at which the restaurant's order numbers start anew. */
import dayjs from 'dayjs';
import { toInstant } from '../../lib/fields/zone';
import { formatDateTime, PLAIN_DAY } from '../../lib/format';

export interface Clock {
  zone: string;
  /** `02:00` */
  reset: string;
}

const plain = (day: string) => day.replaceAll('/', '-');

/** The business day of an instant, as `2026-05-31`. */
export function businessDay(instant: string | Date, { zone, reset }: Clock): string {
  const [day, time] = formatDateTime(instant, zone).split(' ') as [string, string];
  return time < reset.slice(0, 5) ? shifted(plain(day), -1) : plain(day);
}

const shifted = (day: string, days: number): string => dayjs(day).add(days, 'day').format(PLAIN_DAY);

export const QUICK = ['today', 'yesterday', 'week', 'month'] as const;
export type Quick = (typeof QUICK)[number];

export interface Range {
  from: string;
  till: string;
}

/** Days of a quick choice, seen from a business day; weeks begin on Monday. */
export function quickRange(which: Quick, today: string): Range {
  const monday = shifted(today, -((dayjs(today).day() + 6) % 7));
  const ranges: Record<Quick, [string, string]> = {
    today: [today, today],
    yesterday: [shifted(today, -1), shifted(today, -1)],
    week: [monday, shifted(monday, 6)],
    month: [shifted(today, -29), today],
  };
  const [from, till] = ranges[which];
  return { from, till };
}

/** The same range with times: a day's first minute and its last one. */
export function withTimes({ from, till }: Range, { zone, reset }: Clock): Range {
  const start = (day: string) => toInstant(dayjs(`${day}T${reset.slice(0, 5)}`), zone);
  return {
    from: from && start(from),
    till: till && new Date(Date.parse(start(shifted(till, 1))) - 60_000).toISOString().replace('.000Z', 'Z'),
  };
}

/** The business days of a range with times. */
export const withoutTimes = ({ from, till }: Range, clock: Clock): Range => ({
  from: from && businessDay(from, clock),
  till: till && businessDay(till, clock),
});
