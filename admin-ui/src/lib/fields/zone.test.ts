import dayjs from 'dayjs';
import { expect, it } from 'vitest';
import { toInstant, toLocalTime } from './zone';

const Z = 'Europe/Budapest';

it.each(['2026-01-15T11:00:00Z', '2026-07-15T10:00:00Z', '2026-03-29T01:30:00Z', '2026-10-25T02:30:00Z'])(
  'keeps %s through wall clock and back',
  (instant) => {
    expect(toInstant(toLocalTime(instant, Z), Z)).toBe(instant);
  },
);

it('takes the first of the hour that comes twice, and the next valid time of the one that is skipped', () => {
  expect(toInstant(dayjs('2026-10-25T02:30'), Z)).toBe('2026-10-25T00:30:00Z');
  expect(toInstant(dayjs('2026-03-29T02:30'), Z)).toBe('2026-03-29T01:30:00Z');
});
