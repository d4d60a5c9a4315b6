import { describe, expect, it } from 'vitest';
import { degrees, insertAfter, moveRow, newRow, paste, pasted, placesOf, removeRow, setRow } from './points';

describe('the list of points', () => {
  it.each([
    ['47.5', 47.5],
    ['47,5', 47.5],
    [' -0,1234567 ', -0.123457],
    ['19°', 19],
    ['4.7.5', undefined],
    ['abc', undefined],
    ['', undefined],
    ['1e3', undefined],
  ])('reads %j as %s', (text, value) => expect(degrees(text)).toBe(value));

  it('gives the places of filled rows, and names those that lie nowhere', () => {
    const rows = [newRow('47,5', '19'), newRow(), newRow('97', '19'), newRow('47', '')];
    expect(placesOf(rows)).toEqual({ points: [{ lat: 47.5, lng: 19 }], wrong: [rows[2]!.key, rows[3]!.key] });
  });

  it('adds, removes, changes and moves rows; a row stays itself', () => {
    const rows = [newRow('1', '1'), newRow('2', '2'), newRow('3', '3')];
    const [a, b, c] = rows.map(({ key }) => key);
    expect(insertAfter(rows, a!).map(({ lat }) => lat)).toEqual(['1', '', '2', '3']);
    expect(removeRow(rows, b!).map(({ key }) => key)).toEqual([a, c]);
    expect(setRow(rows, c!, { lat: '9' }).at(-1)).toEqual({ key: c, lat: '9', lng: '3' });
    expect(moveRow(rows, c!, -1).map(({ key }) => key)).toEqual([a, c, b]);
    expect(moveRow(rows, a!, -1)).toEqual(rows);
    expect(moveRow(rows, c!, 1)).toEqual(rows);
  });

  it.each([
    ['47.5, 19.05', [{ lat: 47.5, lng: 19.05 }]],
    ['47.5,19.05', [{ lat: 47.5, lng: 19.05 }]],
    ['47,5; 19,05', [{ lat: 47.5, lng: 19.05 }]],
    ['47,5 19,05', [{ lat: 47.5, lng: 19.05 }]],
    [
      '47.5\t19.05\r\n47.6\t19.06\n',
      [
        { lat: 47.5, lng: 19.05 },
        { lat: 47.6, lng: 19.06 },
      ],
    ],
    ['47.5', undefined],
    ['147.5, 19', undefined],
    ['szöveg', undefined],
  ])('pasted %j', (text, points) => expect(pasted(text)).toEqual(points));

  it('what is pasted into a row goes on below it', () => {
    const rows = [newRow('1', '1'), newRow('2', '2')];
    const next = paste(rows, rows[0]!.key, [
      { lat: 8, lng: 8 },
      { lat: 9, lng: 9 },
    ]);
    expect(next.map(({ lat }) => lat)).toEqual(['8', '9', '2']);
    expect(next[0]!.key).toBe(rows[0]!.key);
  });
});
