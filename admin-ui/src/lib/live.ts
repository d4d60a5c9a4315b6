import { useEffect, useRef, useSyncExternalStore } from 'react';
import { Emitter, Store } from './events';

/** What the service sends over `/fresh-orders`, and two of our own. */
export interface LiveEvents extends Record<string, unknown> {
  TASK_ORDERS_RELOAD: { order_id: string; counter: string; status: string; change: 'created' | 'due' | 'accepted' | 'taken_back' | 'prepared' | 'recalled' | 'archived' };
  TASK_RESTAURANT_RELOAD: Record<string, unknown>;
  TASK_ADMIN_RELOAD: Record<string, unknown>;
  TASK_DEVICES_RELOAD: Record<string, unknown>;
  TASK_ANNOUNCEMENT: Record<string, unknown>;
  TASK_PUSH_NOTIFICATION_RELOAD: { id: string };
  /** The last event id was too old: load everything. */
  TASK_RELOAD: Record<string, unknown>;
  /** Ours: every 15 s while the socket is down. */
  poll: undefined;
  /** Ours: from now on every event comes, for the first time or after a cut. What was read before may have missed some. */
  live: { first: boolean };
}

export type LiveStatus = { state: 'connecting' | 'live' } | { state: 'reconnecting' | 'offline'; since: number };

export interface LiveOptions {
  url: string;
  /** Called when the service says that the session ended (4401) or the right is gone (4403). */
  onRefused: (code: number) => void;
  /** For tests. */
  open?: (url: string) => WebSocket;
  random?: () => number;
}

const POLL_MS = 15_000;
/** Over this long without a socket the page says so (ui.md: 10 s). */
const OFFLINE_MS = 10_000;
/** A service that takes the connection and does not greet is given up after this long. */
const HELLO_MS = 10_000;
/** The pauses before trying again. */
const BACK_OFF_MS = [500, 1000, 2000, 5000, 10_000, 20_000, 30_000];

/**
 * One WebSocket for one restaurant. Signed in by the cookie. After a cut it comes back with the last event id, so
 * nothing is missed; while it is down, `poll` is emitted so that screens read by themselves.
 */
export class LiveSocket {
  readonly events = new Emitter<LiveEvents>();
  readonly status = new Store<LiveStatus>({ state: 'connecting' });
  #options: LiveOptions;
  #socket: WebSocket | undefined;
  #lastId: number | undefined;
  #tries = 0;
  #down: number | undefined;
  #stopped = false;
  #greeted = false;
  #timers = new Set<ReturnType<typeof setTimeout>>();
  #poll: ReturnType<typeof setInterval> | undefined;

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  start(): void {
    this.#stopped = false;
    this.#connect();
    addEventListener('online', this.#hurry);
    document.addEventListener('visibilitychange', this.#hurry);
  }

  stop(): void {
    this.#stopped = true;
    removeEventListener('online', this.#hurry);
    document.removeEventListener('visibilitychange', this.#hurry);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    clearInterval(this.#poll);
    this.#socket?.close(1000);
    this.#socket = undefined;
  }

  /** The network came back or the tab is looked at again: do not wait out the back-off. */
  #hurry = (): void => {
    if (this.#stopped || this.#socket || document.visibilityState === 'hidden') return;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#connect();
  };

  #connect(): void {
    if (this.#stopped) return;
    const url = this.#lastId === undefined ? this.#options.url : `${this.#options.url}&last_event_id=${this.#lastId}`;
    const socket = (this.#options.open ?? ((u) => new WebSocket(u)))(url);
    this.#socket = socket;
    socket.onmessage = (message) => this.#socket === socket && this.#receive(String(message.data));
    const lost = (code: number) => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      if (this.#stopped) return;
      if (code === 4401 || code === 4403) {
        this.stop();
        this.status.set({ state: 'offline', since: Date.now() });
        this.#options.onRefused(code);
        return;
      }
      this.#wentDown();
      const step = BACK_OFF_MS[Math.min(this.#tries++, BACK_OFF_MS.length - 1)]!;
      // Full jitter on the upper half: a restart of the service must not bring all tills back in the same second.
      this.#later(step / 2 + ((this.#options.random ?? Math.random)() * step) / 2, () => this.#connect());
    };
    socket.onclose = (event) => lost(event.code);
    this.#later(HELLO_MS, () => {
      if (this.#socket !== socket || this.status.get().state === 'live') return;
      lost(1006);
      socket.close();
    });
  }

  #receive(text: string): void {
    let message: { event?: string; id?: number; data?: unknown };
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    if (typeof message.id === 'number') this.#lastId = Math.max(this.#lastId ?? 0, message.id);
    if (message.event === 'TASK_HELLO') this.#cameUp();
    else if (message.event) this.events.emit(message.event as keyof LiveEvents & string, message.data as never);
  }

  #cameUp(): void {
    const first = !this.#greeted;
    this.#greeted = true;
    this.#tries = 0;
    this.#down = undefined;
    clearInterval(this.#poll);
    this.#poll = undefined;
    this.status.set({ state: 'live' });
    this.events.emit('live', { first });
  }

  #wentDown(): void {
    const since = (this.#down ??= Date.now());
    if (this.#poll) return;
    this.status.set({ state: 'reconnecting', since });
    this.#poll = setInterval(() => this.events.emit('poll', undefined), POLL_MS);
    this.#later(OFFLINE_MS, () => this.#down === since && this.status.set({ state: 'offline', since }));
  }

  #later(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, ms);
    this.#timers.add(timer);
  }
}

/** The socket of the restaurant on this page; undefined while none is chosen. */
export const liveSocket = new Store<LiveSocket | undefined>(undefined);

/** Runs the callback on each event of the kind while the component is mounted. */
export function useLiveEvent<K extends keyof LiveEvents & string>(name: K, callback: (data: LiveEvents[K]) => void): void {
  const socket = useSyncExternalStore(liveSocket.subscribe, liveSocket.get);
  const latest = useRef(callback);
  useEffect(() => {
    latest.current = callback;
  });
  useEffect(() => socket?.events.on(name, (data) => latest.current(data)), [socket, name]);
}

const IDLE: LiveStatus = { state: 'connecting' };
const never = () => () => undefined;

export function useLiveStatus(): LiveStatus {
  const socket = useSyncExternalStore(liveSocket.subscribe, liveSocket.get);
  return useSyncExternalStore(socket?.status.subscribe ?? never, socket?.status.get ?? (() => IDLE));
}
