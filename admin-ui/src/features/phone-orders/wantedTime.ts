/** When an order is wanted: what is typed, and which times of a day are sensible. All of it by the restaurant's clock. */
import dayjs, { type Dayjs } from 'dayjs';
import type { PublicOpening } from '../../generated/model';
import { type Language, PLAIN_DAY } from '../../lib/format';
import { parseTime } from '../../lib/fields/TimeInput';

/** Hours with the days that differ from them. */
export type Hours = Pick<PublicOpening, 'opening_hours' | 'holidays'>;

/** What somebody has typed: a time of the day that is chosen, a day, or both. */
export interface Typed {
  /** As `2026-11-27`. */
  day?: string;
  /** As `20:30`. */
  time?: string;
}

/** The service takes wanted times of one year. Days */
export const LONGEST = 365;

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const QUARTER = 15;
/** Where nobody says when it is open, and where it is open all night. */
const NOON = '12:00';
/** What opens before this is open all night. Minutes after midnight. */
const EARLIEST = 5 * 60;

const NUMBER = String.raw`(\d{1,2})`;
const BETWEEN = String.raw`\s*[./-]\s*`;
const YEAR_FIRST = new RegExp(`^(\\d{4})${BETWEEN}${NUMBER}${BETWEEN}${NUMBER}\\.?(?:\\s+(.+))?$`);
const YEAR_LAST = new RegExp(`^${NUMBER}${BETWEEN}${NUMBER}${BETWEEN}(\\d{4})(?:\\s+(.+))?$`);
const NO_YEAR = new RegExp(`^${NUMBER}${BETWEEN}${NUMBER}\\.?(?:\\s+(.+))?$`);

const dayOf = (year: number, month: number, day: number): Dayjs | undefined => {
  const text = [year, month, day].map((part) => String(part).padStart(2, '0')).join('-');
  const made = dayjs(text);
  return made.isValid() && made.format(PLAIN_DAY) === text ? made : undefined;
};

/** Month and day in the language's order; the other way round where only that can be meant. */
function inOrder(year: number, a: number, b: number, language: Language): Dayjs | undefined {
  const [monthFirst, dayFirst] = [dayOf(year, a, b), dayOf(year, b, a)];
  return language === 'hu' ? (monthFirst ?? dayFirst) : (dayFirst ?? monthFirst);
}

/** A day without a year is the next one that is called so. */
function nextOf(a: number, b: number, language: Language, today: Dayjs): Dayjs | undefined {
  const years = [0, 1].map((later) => inOrder(today.year() + later, a, b, language));
  return years.find((day) => day && !day.isBefore(today, 'day'));
}

/** The day with which a text begins, and what stands behind it. */
function dayIn(text: string, language: Language, today: Dayjs) {
  const [first, last, short] = [YEAR_FIRST, YEAR_LAST, NO_YEAR].map((form) => form.exec(text));
  const at = (found: RegExpExecArray, group: number) => Number(found[group]);
  if (first) return { day: dayOf(at(first, 1), at(first, 2), at(first, 3)), rest: first[4] };
  // `12. 31. 2030` is half past eight.
  if (last && at(last, 3) - today.year() <= 1 && at(last, 3) >= today.year())
    return { day: inOrder(at(last, 3), at(last, 1), at(last, 2), language), rest: last[4] };
  return short && { day: nextOf(at(short, 1), at(short, 2), language, today), rest: short[3] };
}

/** `20:30`, `2030`, `11. 27. 12:15` and `27/11 12:15` by language, `2026/11/27 12:15`; undefined: none of them. */
export function parseWanted(text: string, language: Language, now: Dayjs): Typed | undefined {
  const alone = parseTime(text);
  if (alone) return { time: alone };
  const found = dayIn(text.trim(), language, now);
  if (!found?.day || found.day.isAfter(now.add(LONGEST, 'day'))) return undefined;
  const day = found.day.format(PLAIN_DAY);
  if (found.rest === undefined) return { day };
  const time = parseTime(found.rest);
  return time ? { day, time } : undefined;
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Minutes of a day, from its midnight on, in which it is open: `[from, till]`, both of them counted. */
function spansOf(day: Dayjs, { opening_hours, holidays }: Hours): [number, number][] {
  const date = day.format(PLAIN_DAY);
  const special = holidays.find(({ valid_from, valid_till }) => valid_from <= date && date <= valid_till);
  if (special?.holiday_type === 'holiday_close') return [];
  const own = special?.open_at && special.close_at;
  const hours = own
    ? [{ open_at: special.open_at!, close_at: special.close_at! }]
    : opening_hours.filter((one) => one.day === DAYS[day.day()]);
  return hours
    .map(({ open_at, close_at }): [number, number] => {
      const [from, till] = [minutesOf(open_at), minutesOf(close_at)];
      // Equal ends are 24 hours; what ends before it begins ends on the next day.
      return [from, till <= from ? till + 1440 - (till === from ? 1 : 0) : till];
    })
    .toSorted(([a], [b]) => a - b);
}

const nextQuarter = (minutes: number): number => Math.ceil(minutes / QUARTER) * QUARTER;

/** Quarter hours of one day in which it is open, from so many minutes after its midnight on. */
function quarters(day: Dayjs, hours: Hours, from: number, most: number): Dayjs[] {
  const found: number[] = [];
  for (const [open, close] of spansOf(day, hours))
    for (let at = nextQuarter(Math.max(open, from)); at <= close && found.length < most; at += QUARTER)
      if (!found.includes(at)) found.push(at);
  return found.map((minutes) => day.startOf('day').minute(minutes));
}

const sinceMidnight = (now: Dayjs): number => now.hour() * 60 + now.minute();

interface Sensible {
  now: Dayjs;
  /** Fewest minutes from now on, as guests get them. */
  lead: number;
  hours: Hours | undefined;
}

/** The next quarter hours of today in which it is open, those after midnight of a span that begins today included. */
export function nextQuarters({ now, lead, hours }: Sensible, most: number): Dayjs[] {
  if (!hours) return [];
  const from = sinceMidnight(now) + Math.max(lead, 1);
  // Past midnight the span of the day before is still on.
  const before = quarters(now.subtract(1, 'day'), hours, from + 1440, most);
  return [...before, ...quarters(now, hours, from, most - before.length)];
}

/** The first time of a day that makes sense: when it is open, and not over. */
export function sensibleTime(day: string, { now, lead, hours }: Sensible): string {
  const wanted = dayjs(day);
  if (wanted.isSame(now, 'day')) {
    const [next] = nextQuarters({ now, lead, hours }, 1);
    return (next?.isSame(now, 'day') ? next : now.minute(nextQuarter(now.minute() + 1))).format('HH:mm');
  }
  const opens = hours && spansOf(wanted, hours)[0]?.[0];
  const first = hours && opens !== undefined && opens >= EARLIEST && quarters(wanted, hours, opens, 1)[0];
  return first ? first.format('HH:mm') : NOON;
}
