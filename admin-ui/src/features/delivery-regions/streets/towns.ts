/** One row of a town list, as the service has read it. */
export interface TownRow {
  /** In the file, from 1. */
  row: number;
  name: string;
  /** The whole town without it. */
  postcode?: string | null | undefined;
  price: number | string;
  min_order_price: number | string;
  what: 'added' | 'changed' | 'same';
}

export interface TownCounts {
  added: number;
  changed: number;
  same: number;
}

/** How many rows do what. */
export function countsOf(rows: readonly Pick<TownRow, 'what'>[]): TownCounts {
  const counts: TownCounts = { added: 0, changed: 0, same: 0 };
  for (const { what } of rows) counts[what] += 1;
  return counts;
}

/** What changes something first, then in the order of the file. */
export const inOrder = <R extends TownRow>(rows: readonly R[]): R[] =>
  rows.toSorted((a, b) => Number(a.what === 'same') - Number(b.what === 'same') || a.row - b.row);
