import { describe, expect, it } from 'vitest';
import type { StornoReportRow } from '../../generated/model';
import { askedAt, grouped, stornoFilter, totals, type Words } from './model';

const row = (part: Partial<StornoReportRow>): StornoReportRow => ({
  by_id: 'anna',
  by: 'Anna',
  kind: 'storno',
  number: 1,
  total_price: 1000,
  ...part,
});
const ROWS = [
  row({ by_id: 'bela', by: 'Béla', kind: 'refused', reason: 'closing', number: 2, total_price: 5000.5 }),
  row({ reason_id: 'x', reason_name: 'Rossz cím', total_price: 3000 }),
  row({ by: 'Nagy Anna', kind: 'partial_storno', reason: 'closing', total_price: 0.1 }),
  row({ by_id: null, by: '', total_price: 0.2 }),
];
const WORDS: Words = {
  person: ({ by }) => by || 'nobody',
  reason: ({ reason, reason_name }) => reason_name ?? reason ?? 'none',
};

describe('an address', () => {
  const asked = (search: string) => askedAt(new URLSearchParams(search), '2026-11-26');
  it.each([
    ['', { from: '2026-10-28', till: '2026-11-26' }],
    ['from=zz&till=2026-02-30', { from: '2026-10-28', till: '2026-11-26' }],
    ['from=2026-11-01', { from: '2026-11-01', till: '2026-11-26' }],
    ['till=2026-03-30', { from: '2026-03-01', till: '2026-03-30' }],
    ['from=2025-11-26&till=2026-11-26', { from: '2025-11-26', till: '2026-11-26' }],
  ])('%s asks for days', (search, range) => expect(asked(search).range).toEqual(range));

  it('says what the service would refuse', () => {
    expect(asked('from=2026-11-27').fault).toBe('turned');
    expect(asked('from=2025-11-26&till=2026-11-26').fault).toBeUndefined();
    expect(asked('from=2025-11-25&till=2026-11-26').fault).toBe('long');
  });

  it('puts together by person unless it says otherwise', () => {
    expect(asked('by=reason').by).toBe('reason');
    expect(asked('by=x').by).toBe('person');
  });
});

describe('rows', () => {
  const told = (by: 'person' | 'reason') =>
    grouped(ROWS, by, WORDS).map(({ name, all, parts }) => [
      name,
      all.number,
      all.total,
      parts!.map((part) => [part.name, part.all.total]),
    ]);

  it('are put together by person, however one is called, exactly and the most expensive first', () => {
    expect(told('person')).toEqual([
      ['Béla', 2, 500_050n, [['closing', 500_050n]]],
      [
        'Anna',
        2,
        300_010n,
        [
          ['Rossz cím', 300_000n],
          ['closing', 10n],
        ],
      ],
      ['nobody', 1, 20n, [['none', 20n]]],
    ]);
  });

  it('are put together by reason', () => {
    expect(told('reason')).toEqual([
      [
        'closing',
        3,
        500_060n,
        [
          ['Béla', 500_050n],
          ['Nagy Anna', 10n],
        ],
      ],
      ['Rossz cím', 1, 300_000n, [['Anna', 300_000n]]],
      ['none', 1, 20n, [['nobody', 20n]]],
    ]);
  });

  it('add up by kind', () => {
    expect(totals(ROWS)).toMatchObject({
      all: { number: 5, total: 800_080n },
      kinds: {
        refused: { number: 2, total: 500_050n },
        storno: { number: 2, total: 300_020n },
        partial_storno: { number: 1, total: 10n },
        changed: { number: 0, total: 0n },
      },
    });
  });

  it('lead to the orders that they count', () => {
    expect(stornoFilter(totals(ROWS))).toBe('only');
    expect(stornoFilter(totals([ROWS[2]!]))).toBe('partial');
    expect(stornoFilter(totals([row({ kind: 'changed' })]))).toBe('only');
  });

  it('have keys of their own, also below each other', () => {
    const lines = grouped(ROWS, 'reason', WORDS).flatMap((line) => [line, ...line.parts!]);
    expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length);
  });
});
