import type { LiveEvent, LiveProvider } from '@refinedev/core';
import { liveSocket, type LiveEvents } from '../live';

/** Which resources an event of the service makes stale. `resources/<name>` are Refine's channels. */
const STALE: Partial<Record<keyof LiveEvents & string, readonly string[]>> = {
  TASK_ORDERS_RELOAD: ['orders'],
  TASK_RESTAURANT_RELOAD: ['restaurants'],
};

/**
 * Routes the restaurant's socket to Refine, which reads the resource again. After a cut, on an event id that is too
 * old, and while the socket is down (each 15 s) every subscriber reads again.
 */
export const liveProvider: LiveProvider = {
  subscribe: ({ channel, callback }) => {
    const socket = liveSocket.get();
    if (!socket) return [];
    const tell = () => callback({ channel, type: '*', payload: {}, date: new Date() } satisfies LiveEvent);
    const resource = channel.replace('resources/', '');
    const events = Object.entries(STALE).filter(([, list]) => list?.includes(resource)).map(([event]) => event as keyof LiveEvents & string);
    const all = [...events, 'TASK_RELOAD' as const, 'poll' as const, 'live' as const];
    return all.map((event) => socket.events.on(event, tell));
  },
  unsubscribe: (subscription: (() => void)[]) => subscription.forEach((stop) => stop()),
};
