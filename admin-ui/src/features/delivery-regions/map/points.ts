import { isPlace, type Point, round } from './geometry';

/** One row of the list of points, as it is typed; `key` stays with it while rows move. */
export interface PointRow {
  key: number;
  lat: string;
  lng: string;
}

let last = 0;
export const newRow = (lat = '', lng = ''): PointRow => ({ key: (last += 1), lat, lng });
export const rowOf = ({ lat, lng }: Point): PointRow => newRow(String(lat), String(lng));

/** Degrees as people type them, with a comma or a point; none when it is no number. */
export function degrees(text: string): number | undefined {
  const plain = text.trim().replace(',', '.').replace(/°$/, '');
  return /^-?\d{1,3}(\.\d+)?$/.test(plain) ? round(Number(plain)) : undefined;
}

/** The place of a row; none while it is not filled in or lies nowhere. */
export function placeOf({ lat, lng }: Pick<PointRow, 'lat' | 'lng'>): Point | undefined {
  const [north, east] = [degrees(lat), degrees(lng)];
  if (north === undefined || east === undefined) return undefined;
  const point = { lat: north, lng: east };
  return isPlace(point) ? point : undefined;
}

/** The places of all rows; none when one of them has none. Rows that nobody filled in do not count. */
export function placesOf(rows: readonly PointRow[]): { points: Point[]; wrong: readonly number[] } {
  const filled = rows.filter((row) => row.lat.trim() !== '' || row.lng.trim() !== '');
  const points: Point[] = [];
  const wrong: number[] = [];
  for (const row of filled) {
    const point = placeOf(row);
    if (point) points.push(point);
    else wrong.push(row.key);
  }
  return { points, wrong };
}

const PAIR = /^(-?\d{1,3}[.,]\d+|-?\d{1,3})\s*(?:[;\t]|,\s|\s)\s*(-?\d{1,3}[.,]\d+|-?\d{1,3})$/;
/** Both with points, so that the comma between them is none of a number. */
const POINTED = /^(-?\d{1,3}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)$/;

/** Pasted text as points, one a line (`47.5, 19.05`, also with decimal commas); none when a line is no pair. */
export function pasted(text: string): Point[] | undefined {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
  const points = lines.map((line) => {
    const pair = POINTED.exec(line) ?? PAIR.exec(line);
    return pair ? placeOf({ lat: pair[1]!, lng: pair[2]! }) : undefined;
  });
  return points.length > 0 && points.every((point) => point !== undefined) ? (points as Point[]) : undefined;
}

/** Places pasted into a row: it takes the first, the others follow it. */
export function paste(rows: readonly PointRow[], at: number, points: readonly Point[]): PointRow[] {
  return rows.flatMap((row) => {
    if (row.key !== at) return [row];
    const [first, ...rest] = points.map(rowOf);
    return first ? [{ ...first, key: row.key }, ...rest] : [row];
  });
}

export const setRow = (
  rows: readonly PointRow[],
  at: number,
  change: Partial<Omit<PointRow, 'key'>>,
): PointRow[] => rows.map((row) => (row.key === at ? { ...row, ...change } : row));

export const insertAfter = (rows: readonly PointRow[], at: number): PointRow[] =>
  rows.flatMap((row) => (row.key === at ? [row, newRow()] : [row]));

export const removeRow = (rows: readonly PointRow[], at: number): PointRow[] =>
  rows.filter((row) => row.key !== at);

/** Moves a row one place up or down; at the ends it stays. */
export function moveRow(rows: readonly PointRow[], at: number, by: -1 | 1): PointRow[] {
  const from = rows.findIndex((row) => row.key === at);
  const to = from + by;
  if (from < 0 || to < 0 || to >= rows.length) return [...rows];
  const next = [...rows];
  [next[from], next[to]] = [next[to]!, next[from]!];
  return next;
}
