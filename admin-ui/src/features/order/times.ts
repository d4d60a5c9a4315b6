/** Promised times and ages of orders. All functions are given the present, so that they can be tested. */
import { formatDate, formatTime } from '../../lib/format';

/** A promised time is shown with this margin, in minutes. */
const MARGIN_MIN = 10;
/** Waiting time from which an order is amber. Minutes. */
const AMBER_MIN = 5;
/** Waiting time from which it is red. Minutes. */
const RED_MIN = 10;
/** Minutes after the promised time when an order is treated as done although it is still listed. */
const SETTLED_MIN = 120;

const MINUTE = 60_000;

export type Tone = 'calm' | 'amber' | 'red';

/** `12:20–12:40` for 12:30, in the zone. */
export function timeWindow(expectedAt: string, zone: string): string {
  const at = new Date(expectedAt).getTime();
  return `${formatTime(new Date(at - MARGIN_MIN * MINUTE), zone)}–${formatTime(new Date(at + MARGIN_MIN * MINUTE), zone)}`;
}

/** Which day a moment is on, seen from now: the local day decides, not 24 hours. */
export function dayOf(moment: string, now: number, zone: string): 'today' | 'tomorrow' | 'other' {
  const day = formatDate(moment, zone);
  if (day === formatDate(new Date(now), zone)) return 'today';
  // Noon of tomorrow: 24 h after noon-ish is the next day also where the clock changes.
  const noon = new Date(`${formatDate(new Date(now), zone).replaceAll('/', '-')}T12:00:00Z`).getTime();
  return day === formatDate(new Date(noon + 24 * 60 * MINUTE), 'UTC') ? 'tomorrow' : 'other';
}

/** Whole minutes since the moment; never negative, clocks differ a little. */
export const minutesSince = (moment: string, now: number): number =>
  Math.max(0, Math.floor((now - new Date(moment).getTime()) / MINUTE));

/** `1:05` of seconds; `1:02:05` from an hour on. */
export function duration(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (number: number) => String(number).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** How urgently an order that nobody accepted waits; counted from when the kitchen should see it. */
export function waitingTone(showAt: string, now: number): Tone {
  const minutes = minutesSince(showAt, now);
  return minutes >= RED_MIN ? 'red' : minutes >= AMBER_MIN ? 'amber' : 'calm';
}

/**
 * An accepted order: amber once its time is there, red once the margin is used up, calm again when it is long
 * past.
 */
export function dueTone(expectedAt: string | null | undefined, now: number): Tone {
  if (!expectedAt) return 'calm';
  const over = (now - new Date(expectedAt).getTime()) / MINUTE;
  if (over >= SETTLED_MIN || over < 0) return 'calm';
  return over > MARGIN_MIN ? 'red' : 'amber';
}
