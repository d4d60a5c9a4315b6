import dayjs, { type Dayjs } from 'dayjs';
import { formatDateTime } from '../format';

/** The wall clock of an instant in a zone, as a zoneless dayjs for pickers. */
export const toLocalTime = (instant: string, zone: string): Dayjs =>
  dayjs(formatDateTime(instant, zone).replaceAll('/', '-'));

/**
 * The instant at which the zone's clocks show this wall time, in UTC ISO form. In the hour that is skipped in
 * spring the clock's next valid time is taken, in the one that comes twice in autumn the first.
 */
export function toInstant(local: Dayjs, zone: string): string {
  const wanted = Date.UTC(local.year(), local.month(), local.date(), local.hour(), local.minute());
  const shown = (at: number) => {
    const w = toLocalTime(new Date(at).toISOString(), zone);
    return Date.UTC(w.year(), w.month(), w.date(), w.hour(), w.minute());
  };
  const offsets = [wanted - 86_400_000, wanted + 86_400_000]
    .map((at) => shown(at) - at)
    .sort((a, b) => b - a);
  const hit = offsets.map((offset) => wanted - offset).find((at) => shown(at) === wanted);
  return new Date(hit ?? wanted - offsets.at(-1)!).toISOString().replace('.000Z', 'Z');
}
