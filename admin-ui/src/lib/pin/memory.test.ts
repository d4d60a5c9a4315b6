import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { IDLE_MS, PinMemory } from './memory';

const MINUTE = 60_000;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function held() {
  const told = vi.fn();
  const memory = new PinMemory();
  memory.hold('2580');
  memory.subscribe(told);
  return { memory, told };
}

it('forgets the PIN once nobody has touched the page for five minutes, and says so', () => {
  const { memory, told } = held();
  vi.advanceTimersByTime(IDLE_MS - 1);
  expect(memory.get()).toBe('2580');
  vi.advanceTimersByTime(1);
  expect(memory.get()).toBeUndefined();
  expect(told).toHaveBeenCalledOnce();
});

it('keeps it while somebody is there', () => {
  const { memory, told } = held();
  for (let minute = 0; minute < 30; minute += 4) {
    vi.advanceTimersByTime(4 * MINUTE);
    memory.touch();
  }
  expect(memory.get()).toBe('2580');
  expect(told).not.toHaveBeenCalled();
});

it('is no longer held by the first input after a computer has slept', () => {
  const { memory } = held();
  // The clock goes on, timers do not.
  vi.setSystemTime(Date.now() + 60 * MINUTE);
  memory.touch();
  expect(memory.get()).toBeUndefined();
});

it('is dropped at once, and an input does not bring it back', () => {
  const { memory, told } = held();
  memory.drop();
  memory.touch();
  vi.advanceTimersByTime(IDLE_MS);
  expect(memory.get()).toBeUndefined();
  expect(told).toHaveBeenCalledOnce();
  memory.hold('1111');
  expect(memory.get()).toBe('1111');
});
