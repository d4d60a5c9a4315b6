import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BellSchedule, GAP_MS, REPEAT_MS } from './schedule';
import { FLASH_MS, useTitleFlash } from './useTitleFlash';
import { useWakeLock } from './useWakeLock';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('the bell', () => {
  const set = (...ids: string[]) => new Set(ids);

  it('rings at once and every 30 s while an order waits', () => {
    const ring = vi.fn();
    const bell = new BellSchedule(ring);
    bell.update(set('a'));
    expect(ring).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(REPEAT_MS - 1);
    expect(ring).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1 + REPEAT_MS);
    expect(ring).toHaveBeenCalledTimes(3);
  });

  it('rings at once for another one, and counts the 30 s from there', () => {
    const ring = vi.fn();
    const bell = new BellSchedule(ring);
    bell.update(set('a'));
    vi.advanceTimersByTime(20_000);
    bell.update(set('a', 'b'));
    expect(ring).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(REPEAT_MS - 1);
    expect(ring).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(1);
    expect(ring).toHaveBeenCalledTimes(3);
  });

  it('does not start over because one was accepted or the list was read again', () => {
    const ring = vi.fn();
    const bell = new BellSchedule(ring);
    bell.update(set('a', 'b'));
    vi.advanceTimersByTime(20_000);
    bell.update(set('b'));
    bell.update(set('b'));
    expect(ring).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(10_000);
    expect(ring).toHaveBeenCalledTimes(2);
  });

  it('is silent when no order waits, and rings again for the next', () => {
    const ring = vi.fn();
    const bell = new BellSchedule(ring);
    bell.update(set('a'));
    bell.update(set());
    vi.advanceTimersByTime(10 * REPEAT_MS);
    expect(ring).toHaveBeenCalledTimes(1);
    bell.update(set('b'));
    expect(ring).toHaveBeenCalledTimes(2);
  });

  it('strikes once for a burst, and once more when it has sounded', () => {
    const ring = vi.fn();
    const bell = new BellSchedule(ring);
    for (let i = 1; i <= 10; i++) {
      bell.update(new Set(Array.from({ length: i }, (_, n) => String(n))));
      vi.advanceTimersByTime(100);
    }
    expect(ring).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(GAP_MS);
    expect(ring).toHaveBeenCalledTimes(2);
  });

  it('stops with its page', () => {
    const ring = vi.fn();
    const bell = new BellSchedule(ring);
    bell.update(set('a'));
    bell.stop();
    vi.advanceTimersByTime(10 * REPEAT_MS);
    expect(ring).toHaveBeenCalledTimes(1);
  });
});

describe('the title', () => {
  const reduced = (matches: boolean) =>
    vi.stubGlobal('matchMedia', () => ({
      matches,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));

  it('flashes every 600 ms and comes back', () => {
    reduced(false);
    document.title = 'Friss rendelések';
    const hook = renderHook(({ text }: { text: string | undefined }) => useTitleFlash(text), {
      initialProps: { text: 'Új!' } as { text: string | undefined },
    });
    expect(document.title).toBe('Új!');
    vi.advanceTimersByTime(FLASH_MS);
    expect(document.title).toBe('Friss rendelések');
    vi.advanceTimersByTime(FLASH_MS);
    expect(document.title).toBe('Új!');
    hook.rerender({ text: undefined });
    expect(document.title).toBe('Friss rendelések');
    vi.advanceTimersByTime(FLASH_MS * 5);
    expect(document.title).toBe('Friss rendelések');
  });

  it('keeps a title that the page set meanwhile', () => {
    reduced(false);
    document.title = 'A';
    const hook = renderHook(() => useTitleFlash('Új!'));
    document.title = 'B';
    vi.advanceTimersByTime(FLASH_MS * 2);
    hook.unmount();
    expect(document.title).toBe('B');
  });

  it('does not move for users who prefer less motion', () => {
    reduced(true);
    document.title = 'A';
    const hook = renderHook(() => useTitleFlash('Új!'));
    vi.advanceTimersByTime(FLASH_MS * 3);
    expect(document.title).toBe('Új!');
    hook.unmount();
    expect(document.title).toBe('A');
  });
});

describe('the screen', () => {
  it('stays on, is asked for again when the page comes back, and may sleep afterwards', async () => {
    const given: { released: boolean; release: () => Promise<void> }[] = [];
    const request = vi.fn(async () => {
      const lock = { released: false, release: async () => void (lock.released = true) };
      given.push(lock);
      return lock;
    });
    vi.stubGlobal('navigator', { wakeLock: { request } });
    const hook = renderHook(() => useWakeLock());
    await vi.advanceTimersByTimeAsync(1);
    expect(given).toHaveLength(1);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(request, 'still held').toHaveBeenCalledTimes(1);
    given[0]!.released = true; // as browsers do with hidden pages
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(1);
    expect(given).toHaveLength(2);
    hook.unmount();
    expect(given[1]!.released).toBe(true);
  });

  it('does without where the browser refuses or cannot', async () => {
    const request = vi.fn().mockRejectedValue(new Error('battery'));
    vi.stubGlobal('navigator', { wakeLock: { request } });
    renderHook(() => useWakeLock()).unmount();
    vi.stubGlobal('navigator', {});
    renderHook(() => useWakeLock()).unmount();
    expect(request).toHaveBeenCalledOnce();
  });
});
