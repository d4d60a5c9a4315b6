import { describe, expect, it } from 'vitest';
import {
  contrast,
  isNight,
  LETTERS,
  newlyReady,
  pause,
  scriptOf,
  sizeOf,
  VEIL_OPACITY,
  veilOf,
  wallClock,
  wantsLight,
} from './rules';

describe('guest TV', () => {
  it('waits longer after each failure, never more than half a minute', () => {
    expect([0, 1, 2, 3, 4, 5, 50].map((failures) => pause(failures, 1))).toEqual([
      1000, 2000, 4000, 8000, 16000, 30000, 30000,
    ]);
    expect(pause(3, 0)).toBe(4000);
  });
  it('writes in the colour that can be read', () => {
    expect(['#10222b', '#000000', '#7a1f1f', '#004400'].map(wantsLight)).toEqual([true, true, true, true]);
    expect(['#ffffff', '#f6f4ef', '#ffd54a', '#9bd1b4'].map(wantsLight)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
  it('lays a veil over a picture on which the letters can be read, whatever the picture and the colour', () => {
    const steps = [0, 51, 102, 127, 153, 204, 255];
    const hex = (value: number) => value.toString(16).padStart(2, '0');
    for (const red of steps)
      for (const green of steps)
        for (const blue of steps) {
          const colour = `#${hex(red)}${hex(green)}${hex(blue)}`;
          const letters = LETTERS[wantsLight(colour) ? 'light' : 'dark'];
          const veil = veilOf(colour);
          for (const pixel of [
            [0, 0, 0],
            [255, 255, 255],
            [127, 127, 127],
            [255, 0, 0],
            [0, 255, 0],
            [0, 0, 255],
          ]) {
            const seen = veil.map((c, at) => c * VEIL_OPACITY + pixel[at]! * (1 - VEIL_OPACITY));
            expect(contrast(letters, seen), `${colour} over ${pixel.join()}`).toBeGreaterThanOrEqual(4.5);
            // The paler words are large: 3 is asked of them.
            const soft = letters.map((c, at) => c * 0.76 + seen[at]! * 0.24);
            expect(contrast(soft, seen), `${colour} over ${pixel.join()}, pale`).toBeGreaterThanOrEqual(3);
          }
        }
    expect(veilOf('#10222b')).toEqual([16, 34, 43]);
    expect(veilOf('#ffffff')).toEqual([255, 255, 255]);
  });
  it('knows the hour of the restaurant, on nights when clocks change too', () => {
    expect(wallClock(Date.UTC(2026, 2, 29, 0, 59), 'Europe/Budapest')).toEqual({
      hour: 1,
      minute: 59,
      day: '2026-03-29',
    });
    expect(wallClock(Date.UTC(2026, 2, 29, 1, 0), 'Europe/Budapest').hour).toBe(3);
    expect(wallClock(Date.UTC(2026, 9, 25, 22, 0), 'Europe/Budapest').hour).toBe(23);
    expect([3, 4, 5].map(isNight)).toEqual([false, true, false]);
  });
  it('chimes for newly ready numbers, not for those at its start', () => {
    expect(newlyReady(undefined, ['A1'])).toEqual([]);
    expect(newlyReady([], ['A1'])).toEqual(['A1']);
    expect(newlyReady(['A1'], ['A2', 'A1'])).toEqual(['A2']);
    expect(newlyReady(['A1', 'A2'], ['A2'])).toEqual([]);
  });
  it('finds its own script in the page', () => {
    expect(scriptOf('<script type="module" crossorigin src="/assets/tv-Ab1.js"></script>')).toBe(
      '/assets/tv-Ab1.js',
    );
    expect(scriptOf('<html>')).toBeUndefined();
    expect([1, 6, 7, 15, 16, 40].map(sizeOf)).toEqual(['l', 'l', 'm', 'm', 's', 's']);
  });
});
