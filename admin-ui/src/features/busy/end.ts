import { toInstant, toLocalTime } from '../../lib/fields/zone';

/** Minutes that orders take more. */
export const MORE = [10, 20, 30] as const;
export type More = (typeof MORE)[number];
/** Minutes after which it ends, or at a time that is chosen. */
export const LENGTHS = [30, 60, 90] as const;
export type Length = (typeof LENGTHS)[number] | 'time';

const MINUTE = 60_000;

/**
 * When it ends: so many minutes from now, or when the restaurant's clocks show `time` next. In the night in which
 * an hour comes twice that may be the second one.
 */
export function endOf(length: Length, time: string, now: number, zone: string): string | undefined {
  if (length !== 'time') return new Date(now + length * MINUTE).toISOString();
  const [hour, minute] = time.split(':').map(Number);
  if (hour === undefined || minute === undefined) return undefined;
  const wall = toLocalTime(new Date(now).toISOString(), zone)
    .hour(hour)
    .minute(minute)
    .second(0)
    .millisecond(0);
  const first = toInstant(wall, zone);
  const second = new Date(Date.parse(first) + 60 * MINUTE).toISOString();
  const shown = (instant: string) => toLocalTime(instant, zone).format('HH:mm');
  const today = [first, second].find((at) => Date.parse(at) > now && shown(at) === shown(first));
  return today ?? toInstant(wall.add(1, 'day'), zone);
}
