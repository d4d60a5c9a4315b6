import { describe, expect, it } from 'vitest';
import { endOf } from './end';

const zone = 'Europe/Budapest';
const at = (instant: string) => Date.parse(instant);

describe('the end of being busy', () => {
  it('is so many minutes from now, or when the clocks show a time next', () => {
    const now = at('2026-11-20T11:10:00Z');
    expect(endOf(90, '', now, zone)).toBe('2026-11-20T12:40:00.000Z');
    expect(endOf('time', '13:00', now, zone)).toBe('2026-11-20T12:00:00Z');
    expect(endOf('time', '12:10', now, zone), 'that is now: tomorrow').toBe('2026-11-21T11:10:00Z');
    expect(endOf('time', '', now, zone)).toBeUndefined();
  });

  it('may be the second one of an hour that comes twice', () => {
    // 2:20 for the first time, then for the second.
    expect(endOf('time', '02:40', at('2026-10-25T00:20:00Z'), zone)).toBe('2026-10-25T00:40:00Z');
    expect(endOf('time', '02:40', at('2026-10-25T01:20:00Z'), zone)).toBe('2026-10-25T01:40:00.000Z');
  });

  it('comes after the hour that is missing', () => {
    expect(endOf('time', '03:30', at('2027-03-28T00:30:00Z'), zone)).toBe('2027-03-28T01:30:00Z');
  });
});
