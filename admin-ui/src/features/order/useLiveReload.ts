import { type LiveEvents, useLiveEvent } from '../../lib/live';

/**
 * Reads again on what the service tells about orders (`wanted` may leave some out), after a cut, on an event
 * id that is too old, each 15 s while the connection is down, and when the connection comes up for the first
 * time: what happened between the first reading and then is told by nobody.
 */
export function useLiveReload(
  reload: () => unknown,
  wanted: (event: LiveEvents['TASK_ORDERS_RELOAD']) => boolean = () => true,
): void {
  useLiveEvent('TASK_ORDERS_RELOAD', (event) => wanted(event) && reload());
  useLiveEvent('TASK_RELOAD', () => reload());
  useLiveEvent('poll', () => reload());
  useLiveEvent('live', () => reload());
}
