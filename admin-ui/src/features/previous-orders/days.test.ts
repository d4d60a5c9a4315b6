import { expect, it } from 'vitest';
import { businessDay, quickRange, withoutTimes, withTimes } from './days';

const clock = { zone: 'Europe/Budapest', reset: '02:00' };

it('a night belongs to the day before until numbers start anew', () => {
  expect(businessDay('2026-05-31T23:59:00Z', clock)).toBe('2026-05-31');
  expect(businessDay('2026-06-01T00:00:00Z', clock)).toBe('2026-06-01');
  expect(businessDay('2026-06-01T00:00:00Z', { ...clock, reset: '00:00' })).toBe('2026-06-01');
});

it('quick choices are business days; weeks begin on Monday', () => {
  // A Sunday.
  const today = '2026-05-31';
  expect(quickRange('today', today)).toEqual({ from: today, till: today });
  expect(quickRange('yesterday', today)).toEqual({ from: '2026-05-30', till: '2026-05-30' });
  expect(quickRange('week', today)).toEqual({ from: '2026-05-25', till: today });
  expect(quickRange('week', '2026-06-01')).toEqual({ from: '2026-06-01', till: '2026-06-07' });
  expect(quickRange('month', today)).toEqual({ from: '2026-05-02', till: today });
});

it('days get times and lose them again, also where the clock changes', () => {
  for (const day of ['2026-05-31', '2026-03-28', '2026-03-29', '2026-10-24', '2026-10-25']) {
    const range = { from: day, till: day };
    expect(withoutTimes(withTimes(range, clock), clock)).toEqual(range);
  }
  expect(withTimes({ from: '2026-05-31', till: '2026-05-31' }, clock)).toEqual({
    from: '2026-05-31T00:00:00Z',
    till: '2026-05-31T23:59:00Z',
  });
  expect(withTimes({ from: '', till: '' }, clock)).toEqual({ from: '', till: '' });
});
