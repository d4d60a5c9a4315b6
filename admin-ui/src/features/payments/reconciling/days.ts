import dayjs from 'dayjs';
import { PLAIN_DAY } from '../../../lib/format';

/** The day before. */
export const dayBefore = (day: string): string => dayjs(day).subtract(1, 'day').format(PLAIN_DAY);

/** The month of a day, as far as it has come. */
export function monthOf(day: string, today: string): { from: string; till: string } {
  const from = dayjs(day).startOf('month').format(PLAIN_DAY);
  const last = dayjs(day).endOf('month').format(PLAIN_DAY);
  return { from, till: last < today ? last : today };
}
