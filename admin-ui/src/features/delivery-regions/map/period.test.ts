import { describe, expect, it } from 'vitest';
import { lastMonth, moved } from './period';

describe('the period of orders', () => {
  it('is one month back to today', () => {
    expect(lastMonth('2026-03-31')).toEqual({ from: '2026-02-28', till: '2026-03-31' });
  });

  it('neither turns round nor is longer than a year', () => {
    const now = { from: '2026-02-01', till: '2026-03-01' };
    expect(moved(now, 'from', '2026-04-01')).toEqual({ from: '2026-04-01', till: '2026-04-01' });
    expect(moved(now, 'till', '2026-01-01')).toEqual({ from: '2026-01-01', till: '2026-01-01' });
    expect(moved(now, 'from', '2024-05-01')).toEqual({ from: '2024-05-01', till: '2025-05-01' });
    expect(moved(now, 'till', '2028-02-01')).toEqual({ from: '2027-02-01', till: '2028-02-01' });
    expect(moved(now, 'from', '2026-02-10')).toEqual({ from: '2026-02-10', till: '2026-03-01' });
  });
});
