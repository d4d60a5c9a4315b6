import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { doubts } from './http';
import { LiveSocket, SILENCE_MS } from './live';

class FakeSocket {
  static all: FakeSocket[] = [];
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  closed = false;
  sent: string[] = [];
  readonly url: string;
  constructor(url: string) {
    this.url = url;
    FakeSocket.all.push(this);
  }
  say(message: object) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  cut(code = 1006) {
    this.onclose?.({ code });
  }
  close() {
    this.closed = true;
  }
  send(text: string) {
    this.sent.push(text);
  }
}

const start = (onRefused = vi.fn()) => {
  const live = new LiveSocket({
    url: 'ws://x/fresh-orders?restaurant_id=r',
    onRefused,
    random: () => 1,
    open: (url) => new FakeSocket(url) as unknown as WebSocket,
  });
  live.start();
  return { live, onRefused };
};
const last = () => FakeSocket.all.at(-1)!;

describe('the socket of a restaurant', () => {
  beforeEach(() => {
    FakeSocket.all = [];
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());

  it('is live after the hello and hands events on', () => {
    const { live } = start();
    const listener = vi.fn();
    live.events.on('TASK_ORDERS_RELOAD', listener);
    expect(live.status.get().state).toBe('connecting');
    last().say({ event: 'TASK_HELLO', id: 4 });
    expect(live.status.get().state).toBe('live');
    last().say({ event: 'TASK_ORDERS_RELOAD', id: 5, data: { order_id: 'o' } });
    expect(listener).toHaveBeenCalledWith({ order_id: 'o' });
    live.stop();
    expect(last().closed).toBe(true);
  });

  it('comes back with the last event id and a growing pause', () => {
    const { live } = start();
    last().say({ event: 'TASK_HELLO', id: 4 });
    last().say({ event: 'TASK_RESTAURANT_RELOAD', id: 9 });
    last().cut();
    expect(live.status.get().state).toBe('reconnecting');
    vi.advanceTimersByTime(499);
    expect(FakeSocket.all).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(FakeSocket.all).toHaveLength(2);
    expect(last().url).toContain('&last_event_id=9');
    last().cut();
    vi.advanceTimersByTime(999);
    expect(FakeSocket.all).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(FakeSocket.all).toHaveLength(3);
    live.stop();
  });

  it('says offline after 10 s, polls each 15 s, and tells when it is back', () => {
    const { live } = start();
    const poll = vi.fn();
    const back = vi.fn();
    live.events.on('poll', poll);
    live.events.on('live', back);
    last().say({ event: 'TASK_HELLO', id: 1 });
    expect(back.mock.calls).toEqual([[{ first: true }]]);
    last().cut();
    for (let s = 0; s < 31; s++) {
      vi.advanceTimersByTime(1000);
      if (s % 2) last().cut();
    }
    expect(live.status.get().state).toBe('offline');
    expect(poll).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(30_000);
    for (const tries = FakeSocket.all.length; FakeSocket.all.length === tries;) vi.advanceTimersByTime(1000);
    last().say({ event: 'TASK_HELLO', id: 1 });
    expect(live.status.get()).toEqual({ state: 'live' });
    expect(back.mock.calls).toEqual([[{ first: true }], [{ first: false }]]);
    poll.mockClear();
    vi.advanceTimersByTime(SILENCE_MS);
    expect(poll).not.toHaveBeenCalled();
    live.stop();
  });

  it.each([4401, 4403])('does not try again by itself after %i', (code) => {
    const { live, onRefused } = start();
    last().cut(code);
    vi.advanceTimersByTime(120_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(onRefused).toHaveBeenCalledWith(code);
    live.retry();
    expect(FakeSocket.all, 'when somebody asks for it').toHaveLength(2);
    live.stop();
    live.retry();
    expect(FakeSocket.all, 'and never after its end').toHaveLength(2);
  });

  it('gives up a service that takes the connection and does not greet', () => {
    const { live } = start();
    vi.advanceTimersByTime(9_999);
    expect(live.status.get().state).toBe('connecting');
    vi.advanceTimersByTime(1);
    const silent = last();
    expect(silent.closed).toBe(true);
    expect(live.status.get().state).toBe('reconnecting');
    vi.advanceTimersByTime(500);
    expect(FakeSocket.all).toHaveLength(2);
    silent.say({ event: 'TASK_HELLO', id: 1 });
    silent.cut();
    expect(live.status.get().state).toBe('reconnecting');
    last().say({ event: 'TASK_HELLO', id: 1 });
    vi.advanceTimersByTime(SILENCE_MS);
    expect(live.status.get().state).toBe('live');
    expect(FakeSocket.all).toHaveLength(2);
    live.stop();
  });

  it('is live while heartbeats arrive, and closes a dead open connection', () => {
    const { live } = start();
    const listener = vi.fn();
    live.events.on('TASK_HEARTBEAT' as never, listener);
    last().say({ event: 'TASK_HELLO', id: 4 });
    for (let beats = 0; beats < 30; beats++) {
      vi.advanceTimersByTime(10_000);
      last().say({ event: 'TASK_HEARTBEAT', id: 4, data: {} });
    }
    expect(FakeSocket.all).toHaveLength(1);
    const word = Date.now();
    vi.advanceTimersByTime(SILENCE_MS);
    expect(live.status.get().state).toBe('live');
    vi.advanceTimersByTime(1000);
    expect(live.status.get()).toEqual({ state: 'reconnecting', since: word });
    expect(FakeSocket.all[0]!.closed).toBe(true);
    vi.advanceTimersByTime(500);
    expect(last().url).toContain('&last_event_id=4');
    expect(listener).not.toHaveBeenCalled();
    live.stop();
  });

  it('uses the clock: a tab that slept notices it when it becomes visible', () => {
    const { live } = start();
    last().say({ event: 'TASK_HELLO', id: 4 });
    // As in a hidden tab: time goes on, nothing runs.
    vi.setSystemTime(Date.now() + 180_000);
    expect(live.status.get().state).toBe('live');
    document.dispatchEvent(new Event('visibilitychange'));
    expect(live.status.get().state).toBe('reconnecting');
    live.stop();
  });

  it('reconnects when the browser is offline, and at once when it is back', () => {
    const { live } = start();
    last().say({ event: 'TASK_HELLO', id: 4 });
    window.dispatchEvent(new Event('offline'));
    expect(live.status.get().state).toBe('reconnecting');
    expect(last().closed).toBe(true);
    vi.advanceTimersByTime(500);
    // This attempt hangs.
    window.dispatchEvent(new Event('online'));
    expect(FakeSocket.all).toHaveLength(3);
    expect(FakeSocket.all[1]!.closed).toBe(true);
    last().say({ event: 'TASK_HELLO', id: 4 });
    expect(live.status.get().state).toBe('live');
    live.stop();
  });

  it('asks for a word when a call is slow, and is not live without one', () => {
    const { live } = start();
    last().say({ event: 'TASK_HELLO', id: 4 });
    doubts.emit('doubt', undefined);
    doubts.emit('doubt', undefined);
    expect(last().sent, 'asked once').toEqual(['?']);
    vi.advanceTimersByTime(1000);
    last().say({ event: 'TASK_HEARTBEAT', id: 4 });
    vi.advanceTimersByTime(5000);
    expect(live.status.get().state, 'the call was slow, the line is not').toBe('live');

    doubts.emit('doubt', undefined);
    vi.advanceTimersByTime(3000);
    expect(live.status.get().state).toBe('reconnecting');
    expect(FakeSocket.all, 'a late word is as good').toHaveLength(1);
    const back = vi.fn();
    live.events.on('live', back);
    last().say({ event: 'TASK_HEARTBEAT', id: 4 });
    expect(live.status.get().state).toBe('live');
    expect(back).toHaveBeenCalledWith({ first: false });
    doubts.emit('doubt', undefined);
    vi.advanceTimersByTime(3000 + 10_000);
    expect(live.status.get().state).toBe('offline');
    live.stop();
  });

  it('tries at once when asked to, and still says offline', () => {
    const { live } = start();
    last().say({ event: 'TASK_HELLO', id: 4 });
    last().cut();
    live.retry();
    expect(FakeSocket.all).toHaveLength(2);
    vi.advanceTimersByTime(10_000);
    expect(live.status.get().state).toBe('offline');
    live.stop();
  });

  it('survives a message that is no JSON', () => {
    const { live } = start();
    last().onmessage?.({ data: 'nonsense' });
    expect(live.status.get().state).toBe('connecting');
    live.stop();
  });
});
