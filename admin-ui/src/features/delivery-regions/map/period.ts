import { PLAIN_DAY } from '../../../lib/format';
import dayjs from 'dayjs';

/** Days, both included. */
export interface Period {
  from: string;
  till: string;
}

/** One month back to today. */
export const lastMonth = (today: string): Period => ({
  from: dayjs(today).subtract(1, 'month').format(PLAIN_DAY),
  till: today,
});

/** The period with one end moved: the other follows, so that it neither turns round nor is longer than a year. */
export function moved(period: Period, end: keyof Period, day: string): Period {
  if (end === 'from') {
    const last = dayjs(day).add(1, 'year').format(PLAIN_DAY);
    const till = period.till < day ? day : period.till > last ? last : period.till;
    return { from: day, till };
  }
  const first = dayjs(day).subtract(1, 'year').format(PLAIN_DAY);
  const from = period.from > day ? day : period.from < first ? first : period.from;
  return { from, till: day };
}
