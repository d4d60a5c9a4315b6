import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Connection } from './connection';

class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 1;
  closed = false;
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  constructor() {
    FakeSocket.all.push(this);
  }
  send() {}
  close() {
    this.closed = true;
  }
  say(event: string) {
    this.onmessage?.({ data: JSON.stringify({ event, data: {} }) });
  }
}

const states: string[] = [];
const state = () => states.at(-1);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  FakeSocket.all = [];
  states.length = 0;
  new Connection(
    'pd_x',
    () => undefined,
    (next) => states.push(next),
  ).start();
  FakeSocket.all[0]!.onopen?.();
  FakeSocket.all[0]!.say('TV_BOARD');
});
afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('a display is connected while heartbeats arrive, until 25 s after the last one', () => {
  for (let beats = 0; beats < 12; beats++) {
    vi.advanceTimersByTime(10_000);
    FakeSocket.all[0]!.say('TV_HEARTBEAT');
  }
  expect(state()).toBe('live');
  vi.advanceTimersByTime(27_000);
  expect(state()).toBe('lost');
  expect(FakeSocket.all[0]!.closed).toBe(true);
});

it('a display that slept knows it when it is looked at, and one without network at once', () => {
  vi.setSystemTime(Date.now() + 120_000);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(state()).toBe('lost');
  FakeSocket.all.at(-1)!.onopen?.();
  FakeSocket.all.at(-1)!.say('TV_BOARD');
  expect(state()).toBe('live');
  window.dispatchEvent(new Event('offline'));
  expect(state()).toBe('lost');
});
