import { describe, expect, it } from 'vitest';
import { busyAt, estimateAt, leadAt } from './busy';

const until = '2026-11-20T12:00:00Z';
const before = Date.parse('2026-11-20T11:59:59Z');
const settings = { busy_minutes: 20, busy_until: until, estimated_delivery_time: 25 };

describe('how long an order takes', () => {
  it('is longer while the restaurant is busy, until the very moment of its end', () => {
    expect(busyAt(settings, before)).toEqual({ minutes: 20, until });
    expect([estimateAt(settings, before), estimateAt(settings, Date.parse(until))]).toEqual([45, 25]);
    expect(busyAt({ busy_minutes: null, busy_until: null }, before)).toBeUndefined();
    expect(estimateAt({}, before)).toBe(30);
  });

  it('lengthens the shortest time to a wanted one only where that is shorter', () => {
    expect([leadAt(settings, 30, before), leadAt(settings, 120, before)]).toEqual([45, 120]);
    expect(leadAt(settings, 30, Date.parse(until))).toBe(30);
  });
});
