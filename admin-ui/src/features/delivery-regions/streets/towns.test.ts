import { describe, expect, it } from 'vitest';
import { countsOf, inOrder, type TownRow } from './towns';

const row = (number: number, what: TownRow['what']): TownRow => ({
  row: number,
  name: `Falu ${number}`,
  price: 990,
  min_order_price: 3000,
  what,
});

describe('the preview of a town list', () => {
  const rows = [row(2, 'same'), row(3, 'changed'), row(4, 'same'), row(5, 'added')];

  it('counts what the rows do', () => {
    expect(countsOf(rows)).toEqual({ added: 1, changed: 1, same: 2 });
    expect(countsOf([])).toEqual({ added: 0, changed: 0, same: 0 });
  });

  it('shows what changes something first', () => {
    expect(inOrder(rows).map((one) => one.row)).toEqual([3, 5, 2, 4]);
  });
});
