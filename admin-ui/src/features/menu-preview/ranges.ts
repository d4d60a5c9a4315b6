import type { TimeRange } from '../categories-and-products/shared/types';
import { DAYS } from '../categories-and-products/shared/draft';

/** Days with the same times: in a word where there is one for them. */
export interface DayTimes {
  days: (TimeRange['day'] | 'weekdays')[];
  from: string;
  till: string;
}

const WEEKDAYS = DAYS.slice(0, 5);

/** Ranges of the week as they are read out: days with the same times together, in the order of the first of them. */
export function dayTimes(ranges: readonly TimeRange[]): DayTimes[] {
  const found = new Map<string, DayTimes>();
  for (const { day, from, till } of ranges) {
    const same = found.get(`${from} ${till}`);
    if (same) same.days.push(day);
    else found.set(`${from} ${till}`, { days: [day], from, till });
  }
  return [...found.values()].map((times) => ({ ...times, days: inWords(new Set(times.days)) }));
}

function inWords(days: ReadonlySet<DayTimes['days'][number]>): DayTimes['days'] {
  if (days.has('every_day') || DAYS.every((day) => days.has(day))) return ['every_day'];
  if (!WEEKDAYS.every((day) => days.has(day))) return DAYS.filter((day) => days.has(day));
  return ['weekdays', ...DAYS.slice(5).filter((day) => days.has(day))];
}
