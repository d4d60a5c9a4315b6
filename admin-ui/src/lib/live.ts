import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { LiveEvents as ServedEvents } from '../generated/model';
import { Emitter, Store } from './events';
import { doubts } from './http';

/** What the service sends over `/fresh-orders`, as its document says, and two of our own. */
export interface LiveEvents extends ServedEvents, Record<string, unknown> {
  /** Ours: every 15 s while the socket is down. */
  poll: undefined;
  /**
   * Our own message: from now on every event arrives, for the first time or after a cut. Earlier readings may
   * have missed some.
   */
  live: { first: boolean };
}

type LiveStatus = { state: 'connecting' | 'live' } | { state: 'reconnecting' | 'offline'; since: number };

interface LiveOptions {
  url: string;
  /** Called when the service says that the session ended (4401) or the right is gone (4403). */
  onRefused: (code: number) => void;
  /** For tests. */
  open?: (url: string) => WebSocket;
  random?: () => number;
}

const POLL_MS = 15_000;
/** After this time without a connection the page says so. */
const OFFLINE_MS = 10_000;
/** A service that takes the connection and does not greet is given up after this long. */
const HELLO_MS = 10_000;
/**
 * The service sends a heartbeat every 10 s. After this time without one the connection counts as dead.
 */
export const SILENCE_MS = 25_000;
/**
 * How often the silence is looked at. Hidden tabs do it once a minute: that is why clocks are compared, not
 * looks counted.
 */
const LOOK_MS = 1000;
/** Time for the service to answer a ping; after it the indicator is not live. */
const PING_MS = 3000;
/** The pauses before trying again. */
const BACK_OFF_MS = [500, 1000, 2000, 5000, 10_000, 20_000, 30_000];

/** Two clocks: one stands still while some computers sleep, the other may be set. */
interface Moment {
  date: number;
  run: number;
}
const moment = (): Moment => ({ date: Date.now(), run: performance.now() });
const sinceMs = ({ date, run }: Moment): number => Math.max(Date.now() - date, performance.now() - run);

/**
 * One WebSocket for one restaurant. Signed in by the cookie. After a cut it comes back with the last event
 * id, so nothing is missed; while it is down, `poll` is emitted so that screens read by themselves. *Live*
 * means that the service was heard lately: an open socket proves nothing.
 */
export class LiveSocket {
  readonly events = new Emitter<LiveEvents>();
  readonly status = new Store<LiveStatus>({ state: 'connecting' });
  #options: LiveOptions;
  #socket: WebSocket | undefined;
  /** The service has said on this socket that from now on every event comes. */
  #open = false;
  #lastMessage = moment();
  #lastId: number | undefined;
  #tries = 0;
  #down = false;
  #stopped = false;
  /** The service has refused it; only somebody who asks for it, or the page, tries again. */
  #refused = false;
  #greeted = false;
  #pingTimer: ReturnType<typeof setTimeout> | undefined;
  #timers = new Set<ReturnType<typeof setTimeout>>();
  #poll: ReturnType<typeof setInterval> | undefined;
  #offline: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setInterval> | undefined;
  #stops: (() => void)[] = [];

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  start(): void {
    this.stop();
    this.#stopped = false;
    this.#connect();
    this.#watch = setInterval(this.#look, LOOK_MS);
    const on = (target: EventTarget, name: string, run: () => void) => {
      target.addEventListener(name, run);
      this.#stops.push(() => target.removeEventListener(name, run));
    };
    on(window, 'online', () => this.retry());
    on(window, 'offline', () => this.#give(1006));
    on(window, 'focus', this.#look);
    on(window, 'pageshow', this.#look);
    on(document, 'resume', this.#look);
    on(document, 'visibilitychange', () => {
      this.#look();
      // The back-off is not waited out, but an attempt is.
      if (document.visibilityState !== 'hidden' && !this.#socket) this.retry();
    });
    this.#stops.push(doubts.on('doubt', () => this.#ask()));
  }

  stop(): void {
    this.#stopped = true;
    this.#refused = false;
    for (const stop of this.#stops.splice(0)) stop();
    this.#forget();
    this.#settle();
    clearInterval(this.#watch);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close(1000);
  }

  /** Tries at once: the network came back, the tab is looked at again, or somebody presses *again*. */
  retry(): void {
    if (this.#refused) return this.start();
    if (this.#stopped || this.#open) return;
    this.#forget();
    const old = this.#socket;
    this.#socket = undefined;
    old?.close();
    this.#connect();
  }

  /** Whether the service has been heard lately. */
  #look = (): void => {
    if (this.#open && sinceMs(this.#lastMessage) > SILENCE_MS) this.#give(1006);
  };

  /** The connection may be dead: sends a ping. */
  #ask(): void {
    const socket = this.#socket;
    if (!socket || !this.#open || this.#pingTimer !== undefined) return;
    try {
      socket.send('?');
    } catch {
      return this.#give(1006);
    }
    this.#pingTimer = this.#later(PING_MS, () => {
      this.#pingTimer = undefined;
      // The socket stays open: a late message is as good, and a silent one is closed by its own timer.
      if (this.#socket === socket) this.#wentDown();
    });
  }

  #connect(): void {
    if (this.#stopped) return;
    const url =
      this.#lastId === undefined ? this.#options.url : `${this.#options.url}&last_event_id=${this.#lastId}`;
    const socket = (this.#options.open ?? ((u) => new WebSocket(u)))(url);
    this.#socket = socket;
    this.#open = false;
    socket.onmessage = (message) => this.#socket === socket && this.#receive(String(message.data));
    socket.onclose = (event) => this.#socket === socket && this.#give(event.code);
    this.#later(HELLO_MS, () => this.#socket === socket && !this.#open && this.#give(1006));
  }

  /** Gives this connection up and begins another one after a while. */
  #give(code: number): void {
    const socket = this.#socket;
    if (!socket || this.#stopped) return;
    this.#socket = undefined;
    this.#open = false;
    clearTimeout(this.#pingTimer);
    this.#pingTimer = undefined;
    socket.close();
    if (code === 4401 || code === 4403) {
      this.stop();
      this.#refused = true;
      this.status.set({ state: 'offline', since: Date.now() });
      this.#options.onRefused(code);
      return;
    }
    this.#wentDown();
    const step = BACK_OFF_MS[Math.min(this.#tries++, BACK_OFF_MS.length - 1)]!;
    // Full jitter on the upper half: a restart of the service must not bring all tills back in the same
    // second.
    this.#later(step / 2 + ((this.#options.random ?? Math.random)() * step) / 2, () => this.#connect());
  }

  #receive(text: string): void {
    let message: { event?: string; id?: number; data?: unknown };
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    this.#lastMessage = moment();
    clearTimeout(this.#pingTimer);
    this.#pingTimer = undefined;
    if (typeof message.id === 'number') this.#lastId = Math.max(this.#lastId ?? 0, message.id);
    const hello = message.event === 'TASK_HELLO';
    if (hello || (this.#open && this.#down)) this.#cameUp();
    if (message.event && !hello && message.event !== 'TASK_HEARTBEAT')
      this.events.emit(message.event as keyof LiveEvents & string, message.data as never);
  }

  #cameUp(): void {
    const first = !this.#greeted;
    this.#greeted = true;
    this.#open = true;
    this.#tries = 0;
    this.#settle();
    this.status.set({ state: 'live' });
    this.events.emit('live', { first });
  }

  #wentDown(): void {
    if (this.#down) return;
    this.#down = true;
    // The connection counts as lost since its last message.
    const since = this.#greeted ? this.#lastMessage.date : Date.now();
    this.status.set({ state: 'reconnecting', since });
    this.#poll = setInterval(() => this.events.emit('poll', undefined), POLL_MS);
    this.#offline = setTimeout(() => this.status.set({ state: 'offline', since }), OFFLINE_MS);
  }

  #settle(): void {
    this.#down = false;
    clearInterval(this.#poll);
    clearTimeout(this.#offline);
  }

  /** Cancels timers of the previous connection. */
  #forget(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#pingTimer = undefined;
  }

  #later(ms: number, run: () => void): ReturnType<typeof setTimeout> {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, ms);
    this.#timers.add(timer);
    return timer;
  }
}

/** The socket of the restaurant on this page; undefined while none is chosen. */
export const liveSocket = new Store<LiveSocket | undefined>(undefined);

/** Runs the callback on each event of the kind while the component is mounted. */
export function useLiveEvent<K extends keyof LiveEvents & string>(
  name: K,
  callback: (data: LiveEvents[K]) => void,
): void {
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
