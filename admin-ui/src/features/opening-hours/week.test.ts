import { describe, expect, it } from 'vitest';
import {
  everyDay,
  faultsOf,
  isClosed,
  overnight,
  sameWeek,
  toHours,
  toWeek,
  type Day,
  type Span,
} from './week';

const week = (text: string) =>
  toWeek(
    text
      .split(' ')
      .filter(Boolean)
      .map((span) => {
        const [day, open_at, close_at] = span.split('-') as [Day, string, string];
        return { day, open_at, close_at };
      }),
  );
const faulty = (text: string) => Object.fromEntries(faultsOf(week(text)));

describe('a week of opening hours', () => {
  it('knows that no day is open, and opens every day', () => {
    expect([isClosed(week('')), isClosed(week('sun-11:00-15:00'))]).toEqual([true, false]);
    const days = everyDay();
    expect(isClosed(days)).toBe(false);
    expect(toHours(days)).toHaveLength(7);
    expect(faultsOf(days).size).toBe(0);
    days.mon[0]!.open_at = '09:00';
    expect(everyDay().mon, 'no span is shared').toEqual([{ open_at: '11:00', close_at: '20:00' }]);
  });

  // As in the service (opening_hours.rs).
  it.each<[string, Record<string, string>]>([
    ['', {}],
    ['mon-11:00-15:00 mon-15:00-20:00', {}],
    ['mon-11:00-15:00 mon-14:59-20:00', { 'mon.1': 'overlap' }],
    ['fri-18:00-04:00 sat-03:00-10:00', { 'sat.0': 'overlap' }],
    ['fri-18:00-04:00 sat-04:00-10:00', {}],
    ['sun-18:00-04:00 mon-03:00-10:00', { 'mon.0': 'overlap' }],
    ['mon-08:00-08:00', {}],
    ['mon-08:00-08:00 tue-07:00-09:00', { 'tue.0': 'overlap' }],
    ['mon-25:00-08:00 tue-x-09:00', { 'mon.0': 'time', 'tue.0': 'time' }],
  ])('%s', (text, expected) => expect(faulty(text)).toEqual(expected));

  it('knows what ends tomorrow', () => {
    const over = (open_at: string, close_at: string) => overnight({ open_at, close_at } satisfies Span);
    expect([
      over('18:00', '02:00'),
      over('11:00', '20:00'),
      over('08:00', '08:00'),
      over('', '08:00'),
    ]).toEqual([true, false, true, false]);
  });

  it('compares the bodies of saves', () => {
    expect(sameWeek(week('mon-9-17:00'), week('mon-09:00-17:00'))).toBe(true);
    expect(toHours(week('tue-9.30-17:00 mon-8-12'))).toEqual([
      { day: 'mon', open_at: '08:00', close_at: '12:00' },
      { day: 'tue', open_at: '09:30', close_at: '17:00' },
    ]);
  });
});
