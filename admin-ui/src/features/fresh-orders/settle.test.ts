import { describe, expect, it } from 'vitest';
import { movedCards, type Place } from './settle';

/** Columns of 100, rows of 50. */
const at = (column: number, row: number): Place => ({
  left: column * 110,
  right: column * 110 + 100,
  top: row * 60,
  bottom: row * 60 + 50,
});
const board = (...places: [string, number, number][]) =>
  new Map(places.map(([id, column, row]) => [id, at(column, row)]));

describe('a card under the finger', () => {
  const three = board(['a', 0, 0], ['b', 1, 0], ['c', 0, 1]);
  it.each([
    ['nothing moved', three, []],
    ['the first went: the others slide up', board(['b', 0, 0], ['c', 1, 0]), ['b', 'c']],
    ['the last went: nothing slides', board(['a', 0, 0], ['b', 1, 0]), []],
    ['one more where nothing was', board(['a', 0, 0], ['b', 1, 0], ['c', 0, 1], ['d', 1, 1]), []],
    ['one more between', board(['a', 0, 0], ['d', 1, 0], ['b', 0, 1], ['c', 1, 1]), ['d', 'b']],
    [
      'moved a little, over another one’s place',
      new Map([['a', { ...at(0, 0), top: 20, bottom: 70 }]]),
      ['a'],
    ],
  ] as const)('%s', (_, now, expected) =>
    expect(movedCards(three, now as ReadonlyMap<string, Place>)).toEqual(expected),
  );

  it('a shift of some pixels is no move', () =>
    expect(movedCards(three, new Map([['b', { ...at(1, 0), top: 5 }]]))).toEqual([]));
  it('knows nothing at first', () => expect(movedCards(new Map(), three)).toEqual([]));
});
