import type { LiveEvent, LiveProvider } from '@refinedev/core';
import { liveSocket, type LiveEvents } from '../live';
import { whenRead } from './reading';

/** Which resources an event of the service makes stale. `resources/<name>` are Refine's channels. */
const INVALIDATES: Partial<Record<keyof LiveEvents & string, readonly string[]>> = {
  TASK_CATALOGUE_RELOAD: ['product_category_upsells'],
  TASK_ORDERS_RELOAD: ['orders'],
  TASK_RESTAURANT_RELOAD: ['restaurants', 'socials', 'legal_file', 'order_emails'],
};

/**
 * Routes the restaurant's socket to Refine, which reads the resource again. After a cut, on an event id that
 * is too old, and while the socket is down (each 15 s) every subscriber reads again. When the socket comes up
 * for the first time, those read again whose reading began earlier and which events concern: what changed in
 * between is told by nobody. Other resources are told about by nobody at any time.
 */
export const liveProvider: LiveProvider = {
  subscribe: ({ channel, callback }) => {
    const resource = channel.replace('resources/', '');
    const own = Object.entries(INVALIDATES)
      .filter(([, list]) => list?.includes(resource))
      .map(([event]) => event as keyof LiveEvents & string);
    const notify = () => callback({ channel, type: '*', payload: {}, date: new Date() } satisfies LiveEvent);
    const stale = () => whenRead(resource, notify);
    let stops: (() => void)[] = [];
    const detach = () => {
      for (const stop of stops) stop();
      stops = [];
    };
    // A list may be on the page before the socket is: effects of what lies inside run first.
    const attach = () => {
      detach();
      const events = liveSocket.get()?.events;
      if (!events) return;
      stops = [...own, 'TASK_RELOAD' as const, 'poll' as const].map((event) => events.on(event, stale));
      stops.push(events.on('live', ({ first }) => (!first || own.length > 0) && stale()));
    };
    attach();
    const forget = liveSocket.subscribe(attach);
    return () => {
      forget();
      detach();
    };
  },
  unsubscribe: (stop: () => void) => stop(),
};
