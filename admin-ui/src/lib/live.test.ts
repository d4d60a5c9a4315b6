import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveSocket } from './live';

class FakeSocket {
  static all: FakeSocket[] = [];
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  closed = false;
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
}

const start = (onRefused = vi.fn()) => {
  const live = new LiveSocket({ url: 'ws://x/fresh-orders?restaurant_id=r', onRefused, random: () => 1, open: (url) => new FakeSocket(url) as unknown as WebSocket });
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
    const heard = vi.fn();
    live.events.on('TASK_ORDERS_RELOAD', heard);
    expect(live.status.get().state).toBe('connecting');
    last().say({ event: 'TASK_HELLO', id: 4 });
    expect(live.status.get().state).toBe('live');
    last().say({ event: 'TASK_ORDERS_RELOAD', id: 5, data: { order_id: 'o' } });
    expect(heard).toHaveBeenCalledWith({ order_id: 'o' });
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
    vi.advanceTimersByTime(60_000);
    expect(poll).not.toHaveBeenCalled();
    live.stop();
  });

  it.each([4401, 4403])('does not try again after %i', (code) => {
    const { live, onRefused } = start();
    last().cut(code);
    vi.advanceTimersByTime(120_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(onRefused).toHaveBeenCalledWith(code);
    live.stop();
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
    vi.advanceTimersByTime(60_000);
    expect(live.status.get().state).toBe('live');
    expect(FakeSocket.all).toHaveLength(2);
  });

  it('survives a message that is no JSON', () => {
    const { live } = start();
    last().onmessage?.({ data: 'nonsense' });
    expect(live.status.get().state).toBe('connecting');
    live.stop();
  });
});
