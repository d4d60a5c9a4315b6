import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveSocket, liveSocket } from '../live';
import { liveProvider } from './live';
import { reading } from './reading';

/** A socket that is there but has said nothing yet. */
const open = () => {
  const socket = new LiveSocket({
    url: 'ws://x/fresh-orders?restaurant_id=r',
    onRefused: vi.fn(),
    open: (url) => ((wire = { url, close: vi.fn() } as unknown as WebSocket), wire),
  });
  socket.start();
  liveSocket.set(socket);
  return socket;
};
let wire: WebSocket;
const say = (event: string) =>
  wire.onmessage?.({ data: JSON.stringify({ event, id: 1, data: {} }) } as MessageEvent);
const listen = (resource: string) => {
  const callback = vi.fn();
  const stop = liveProvider.subscribe({ channel: `resources/${resource}`, types: ['*'], callback });
  return { callback, stop: () => liveProvider.unsubscribe(stop) };
};

describe('live provider', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    liveSocket.get()?.stop();
    liveSocket.set(undefined);
    vi.useRealTimers();
  });

  it('what was read before the first hello is read again, once', () => {
    open();
    const { callback } = listen('orders');
    say('TASK_HELLO');
    expect(callback).toHaveBeenCalledOnce();
  });

  it('what is read after the hello is read once only', () => {
    open();
    say('TASK_HELLO');
    expect(listen('orders').callback).not.toHaveBeenCalled();
  });

  it('what no event concerns has missed nothing at the first hello, but after a cut', () => {
    open();
    const { callback } = listen('couriers');
    say('TASK_HELLO');
    expect(callback).not.toHaveBeenCalled();
    wire.onclose?.({ code: 1006 } as CloseEvent);
    vi.advanceTimersByTime(1000);
    say('TASK_HELLO');
    expect(callback).toHaveBeenCalledOnce();
  });

  it('hears its own events until it leaves', () => {
    open();
    const [orders, restaurants] = [listen('orders'), listen('restaurants')];
    say('TASK_ORDERS_RELOAD');
    expect([orders.callback, restaurants.callback].map((one) => one.mock.calls.length)).toEqual([1, 0]);
    orders.stop();
    say('TASK_ORDERS_RELOAD');
    expect(orders.callback).toHaveBeenCalledOnce();
  });

  it('a list that is mounted before the socket gets its events', () => {
    const { callback, stop } = listen('orders');
    open();
    say('TASK_HELLO');
    say('TASK_ORDERS_RELOAD');
    expect(callback).toHaveBeenCalledTimes(2);
    stop();
    say('TASK_ORDERS_RELOAD');
    expect(callback).toHaveBeenCalledTimes(2);
  });

  it.each(['answered', 'failed'])('while an answer is on its way it waits for it: %s', async (how) => {
    open();
    const { callback } = listen('orders');
    let settle: () => void = () => undefined;
    const answer = new Promise<void>(
      (resolve, reject) => (settle = () => (how === 'answered' ? resolve() : reject(new Error('gone')))),
    );
    reading('orders', answer).catch(() => undefined);
    say('TASK_ORDERS_RELOAD');
    expect(callback).not.toHaveBeenCalled();
    settle();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(callback).toHaveBeenCalledOnce();
    say('TASK_ORDERS_RELOAD');
    expect(callback).toHaveBeenCalledTimes(2);
  });
});
