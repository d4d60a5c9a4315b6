import { describe, expect, it } from 'vitest';
import {
  formatAgo,
  formatDate,
  formatDateTime,
  formatMoney,
  formatNumber,
  formatPercent,
  formatTime,
  parseAmount,
} from './format';

/** Spaces of all kinds as one, so that the tables below can be read. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

describe('numbers and money', () => {
  it.each([
    ['hu', 1234, 'huf', '1 234 Ft'],
    ['hu', 12345, 'huf', '12 345 Ft'],
    ['hu', '12345.5', 'huf', '12 345,5 Ft'],
    ['hu', -500, 'huf', '-500 Ft'],
    ['en', 12345, 'huf', '12,345 Ft'],
    ['hu', 12345.67, 'eur', '12 345,67 €'],
    ['en', 12345.67, 'eur', '€12,345.67'],
    ['hu', null, 'huf', '–'],
  ] as const)('%s %s %s -> %s', (language, value, currency, wanted) => {
    expect(plain(formatMoney(language, value, currency))).toBe(wanted);
  });

  it('takes decimal strings without going through a double', () => {
    expect(plain(formatNumber('hu', '9007199254740993'))).toBe('9 007 199 254 740 993');
  });

  it('groups four digits, which plain hu-HU does not', () => {
    expect(plain(formatNumber('hu', 7280))).toBe('7 280');
    expect(formatNumber('en', 7280)).toBe('7,280');
  });

  it('writes percents', () => {
    expect(plain(formatPercent('hu', 27))).toBe('27 %');
    expect(formatPercent('en', '5.5')).toBe('5.5%');
  });
});

describe('amounts as people type them', () => {
  it.each([
    ['12 345,50 Ft', '12345.50'],
    ['12345.5', '12345.5'],
    ['12.345', '12345'],
    ['1.234.567', '1234567'],
    ['12,345.50', '12345.50'],
    ['0,125', '0.125'],
    ['0.125', '0.125'],
    ['-5', '-5'],
    ['1\u202f990\u00a0Ft', '1990'],
    ['abc', undefined],
    ['', undefined],
    ['-', undefined],
  ])('%s -> %s', (text, wanted) => expect(parseAmount(text)).toBe(wanted));
});

describe('instants in the zone of the restaurant', () => {
  it("shows the wall clock, not the browser's", () => {
    expect(formatDateTime('2026-07-01T22:30:00Z', 'Europe/Budapest')).toBe('2026/07/02 00:30');
    expect(formatDateTime('2026-01-01T22:30:00Z', 'America/New_York')).toBe('2026/01/01 17:30');
    expect(formatDate('2026-01-01T22:30:00Z', 'Europe/Budapest')).toBe('2026/01/01');
    expect(formatTime('2026-01-01T23:05:00Z', 'Europe/Budapest')).toBe('00:05');
    expect(formatDateTime(null, 'Europe/Budapest')).toBe('–');
  });

  it('says how long ago', () => {
    const now = Date.parse('2026-11-20T12:00:00Z');
    expect(formatAgo('hu', '2026-11-20T11:58:00Z', now)).toBe('2 perccel ezelőtt');
    expect(formatAgo('en', '2026-11-20T12:05:30Z', now)).toBe('in 5 min');
    expect(formatAgo('en', '2026-11-18T12:00:00Z', now)).toBe('2 days ago');
  });
});
