import { describe, expect, it } from 'vitest';
import type { Drawer, DrawerLine, UnpaidOrder } from '../../generated/model';
import {
  atFields,
  closeBody,
  differenceOf,
  linesOf,
  moveBody,
  refusedWith,
  renewed,
  sameFigures,
  sumOfPieces,
  unpaidHere,
  verdictOf,
} from './model';

const line = (payment_key: string, expected: number, currency: 'huf' | 'eur' = 'huf'): DrawerLine => ({
  payment_key,
  currency,
  left_before: 0,
  taken: expected,
  given_back: 0,
  change_given: 0,
  moved: 0,
  expected,
});
const unpaid = (payment_key: string, due: number, courier_id: string | null = null): UnpaidOrder => ({
  order_id: `${payment_key}-${due}`,
  due,
  payment_key,
  courier_id,
  promised_at: '2026-11-20T11:30:00Z',
});
const drawer = (more: Partial<Drawer> = {}): Drawer => ({
  currency: 'huf',
  courier_id: null,
  since: null,
  lines: [],
  persons: [],
  movements: [],
  unpaid: [],
  assumed: [],
  couriers: [],
  waiting_payments: { count: 0, total: 0 },
  asked_refunds: { count: 0, total: 0 },
  ...more,
});
const shown = (one: Drawer) => linesOf(one).map(({ id, expected, assumed }) => [id, expected, assumed]);

describe('what should be there when a drawer is closed', () => {
  it('has cash first, also in an empty drawer', () => {
    expect(shown(drawer())).toEqual([['cash_huf', '0', '0']]);
    const lines = [line('card', 1100), line('cash', 20, 'eur'), line('cash', 14_400)];
    expect(shown(drawer({ lines }))).toEqual([
      ['cash_huf', '14400', '0'],
      ['cash_eur', '20', '0'],
      ['card_huf', '1100', '0'],
    ]);
  });

  it('holds what closing books as assumed: cash in coins, balance and points as cash, others by their method', () => {
    const lines = [line('cash', 1000)];
    const orders = [
      unpaid('cash', 1233),
      unpaid('balance', 100),
      unpaid('split', 12),
      unpaid('szep_kartya', 2293),
    ];
    expect(shown(drawer({ lines, unpaid: orders }))).toEqual([
      ['cash_huf', '2345', '1345'],
      ['szep_kartya_huf', '2293', '2293'],
    ]);
  });

  it('leaves to a courier what he carries', () => {
    const orders = [unpaid('cash', 1000), unpaid('cash', 2000, 'bela')];
    expect(shown(drawer({ unpaid: orders }))).toEqual([['cash_huf', '1000', '1000']]);
    const his = drawer({ unpaid: [orders[1]!], courier_id: 'bela' });
    expect(shown(his)).toEqual([['cash_huf', '2000', '2000']]);
    expect(unpaidHere(his)).toHaveLength(1);
  });

  it('is exact where floats are not', () => {
    const lines = [line('cash', 0.1, 'eur')];
    const eur = drawer({ currency: 'eur', lines, unpaid: [unpaid('cash', 0.2)] });
    expect(shown(eur)).toEqual([['cash_eur', '0.3', '0.2']]);
  });
});

describe('counting', () => {
  it('says the difference at once, and nothing before', () => {
    const [cash] = linesOf(drawer({ lines: [line('cash', 14_400)] }));
    expect(differenceOf(cash!, {})).toBeUndefined();
    expect(differenceOf(cash!, { counted_cash_huf: '' })).toBeUndefined();
    for (const [counted, difference, verdict] of [
      ['14400', 0n, 'exact'],
      ['14395', -500n, 'missing'],
      ['0', -1_440_000n, 'missing'],
      ['15000', 60_000n, 'over'],
    ] as const) {
      expect(differenceOf(cash!, { counted_cash_huf: counted })).toBe(difference);
      expect(verdictOf(difference)).toBe(verdict);
    }
  });

  it('adds notes and coins up', () => {
    expect(sumOfPieces({})).toBeUndefined();
    expect(sumOfPieces({ pieces_20000: '', pieces_5: '' })).toBeUndefined();
    expect(sumOfPieces({ pieces_20000: '3', pieces_500: '7', pieces_5: '1' })).toBe('63505');
    expect(sumOfPieces({ pieces_5: '0' })).toBe('0');
  });
});

describe('closing', () => {
  const lines = linesOf(
    drawer({ lines: [line('cash', 14_400), line('cash', 20, 'eur'), line('card', 1100)] }),
  );

  it('sends what was counted with what was seen, and what stays only of cash', () => {
    const values = {
      counted_cash_huf: '14395',
      left_cash_huf: '5000',
      counted_cash_eur: '20',
      left_cash_eur: '',
      counted_card_huf: '',
      pieces_20000: '1',
      note: ' öt forint hiányzik ',
    };
    expect(closeBody(lines, values, undefined)).toEqual({
      lines: [
        { payment_key: 'cash', currency: 'huf', counted: '14395', left_over: '5000', expected: '14400' },
        { payment_key: 'cash', currency: 'eur', counted: '20', expected: '20' },
      ],
      note: 'öt forint hiányzik',
    });
    const card = closeBody(lines, { counted_card_huf: '1100', left_card_huf: '3' }, 'bela');
    expect(card).toEqual({
      courier_id: 'bela',
      lines: [{ payment_key: 'card', currency: 'huf', counted: '1100', expected: '1100' }],
    });
  });

  it('nothing may stay, which is not all of it', () => {
    const [sent] = closeBody(lines, { counted_cash_huf: '5', left_cash_huf: '0' }, undefined).lines;
    expect(sent).toMatchObject({ counted: '5', left_over: '0' });
  });

  it('puts faults of lines that were sent to their fields', () => {
    const values = { counted_cash_huf: '1', counted_card_huf: '2' };
    const problem = {
      status: 422,
      code: 'VALIDATION_FAILED',
      keys: ['lines.1.counted', 'lines.0.left_over', 'note'],
      faults: [{ key: 'lines.1.counted', fault: 'invalid' }],
    };
    const placed = atFields(problem, lines, values);
    expect(placed.keys).toEqual(['counted_card_huf', 'left_cash_huf', 'note']);
    expect(placed.faults).toEqual([{ key: 'counted_card_huf', fault: 'invalid' }]);
  });
});

describe('figures that have changed meanwhile', () => {
  const seen = linesOf(drawer({ lines: [line('cash', 100), line('card', 50)] }));

  it('are shown with what they were', () => {
    const now = linesOf(drawer({ lines: [line('cash', 300), line('szep_kartya', 7)] }));
    expect(sameFigures(seen, now)).toBe(false);
    expect(renewed(seen, now)).toMatchObject([
      { id: 'cash_huf', expected: '300', before: '100' },
      { id: 'szep_kartya_huf', expected: '7', before: '0' },
      { id: 'card_huf', expected: '0', before: '50' },
    ]);
    expect(renewed(seen, seen)).toEqual(seen);
  });

  it('are those that the refusal tells', () => {
    const current = [line('cash', 305), line('card', 60)];
    const now = drawer({ lines: [line('cash', 300)], unpaid: [unpaid('cash', 5)] });
    expect(refusedWith(current, now)).toMatchObject([
      { id: 'cash_huf', expected: '305', assumed: '5' },
      { id: 'card_huf', expected: '60', assumed: '0' },
    ]);
  });
});

describe('cash beside orders', () => {
  it('goes in and out of the drawer that is shown; who hands in is named', () => {
    const values = { value: '1500', currency: 'huf' as const, reason: ' leadta ', courier_id: 'bela' };
    expect(moveBody('out', values, undefined)).toEqual({
      kind: 'out',
      value: '1500',
      currency: 'huf',
      reason: 'leadta',
    });
    expect(moveBody('in', values, 'jani')).toMatchObject({ kind: 'in', courier_id: 'jani' });
    expect(moveBody('hand_in', values, 'jani')).toMatchObject({ kind: 'hand_in', courier_id: 'bela' });
  });
});
