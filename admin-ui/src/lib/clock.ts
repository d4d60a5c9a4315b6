/**
 * How far the service's clock is ahead of this device's. A tablet that runs slow would otherwise cut off new
 * orders.
 */
let skew = 0;
/** Below this a difference is only the way of the answer and the second that `Date` is rounded to. */
const SKEW_NOISE_MS = 3000;

/** The service's time. */
export const serverNow = (): number => Date.now() + skew;

/** @returns whether the clock was found to be off by more than noise just now. */
export function readClock(headers: Headers): boolean {
  const date = Date.parse(headers.get('Date') ?? '');
  if (Number.isNaN(date)) return false;
  const measured = date + 500 - Date.now();
  const next = Math.abs(measured) < SKEW_NOISE_MS ? 0 : measured;
  const moved = Math.abs(next - skew) > SKEW_NOISE_MS;
  if (moved) skew = next;
  return moved;
}
