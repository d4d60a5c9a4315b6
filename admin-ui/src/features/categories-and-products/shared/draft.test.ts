import { describe, expect, it } from 'vitest';
import { differences, type Fact } from '../../../lib/form/DraftConflict';
import { amount, changes, mergeFields } from '../../../lib/form/body';
import {
  availability,
  crossesMidnight,
  DEFAULT_RANGE,
  nextRange,
  onWeekdays,
  rangeFaults,
  truncate,
  untranslated,
} from './draft';

describe('amounts', () => {
  it.each([
    ['12.50', '12.5'],
    ['12.00', '12'],
    ['1200', '1200'],
    [1700, '1700'],
    ['', null],
    [null, null],
    ['0', '0'],
  ])('%s is compared as %s', (given, plain) => {
    expect(amount(given)).toBe(plain);
  });

  it.each([
    ['1799.99', 0, '1799'],
    ['1799.99', 2, '1799.99'],
    ['3.999', 2, '3.99'],
    ['12', 2, '12'],
  ])('%s with %i decimals is cut to %s, never rounded up', (given, decimals, cut) => {
    expect(truncate(given, decimals)).toBe(cut);
  });
});

describe('schedule', () => {
  it('of weekdays is a row for each, at the times of the one it replaces', () => {
    const lunch = { from: '11:00', till: '14:00' };
    const rows = onWeekdays(
      [
        { day: 'sun', ...lunch },
        { day: 'every_day', ...lunch },
      ],
      1,
    );
    expect(rows.map(({ day }) => day)).toEqual(['sun', 'mon', 'tue', 'wed', 'thu', 'fri']);
    expect(rows.at(-1)).toEqual({ day: 'fri', ...lunch });
  });

  it('goes on with the day after the last row at its times', () => {
    expect(nextRange([{ day: 'mon', from: '11:00', till: '14:00' }])).toEqual({
      day: 'tue',
      from: '11:00',
      till: '14:00',
    });
    for (const day of ['every_day', 'sun'] as const)
      expect(nextRange([{ day, from: '9:00', till: '10:00' }])).toEqual(DEFAULT_RANGE);
    expect(nextRange([])).toEqual(DEFAULT_RANGE);
  });

  it('begins now when it is switched on, and is empty when it is switched off', () => {
    expect(availability(true, new Date('2026-05-01T10:20:33.123Z'))).toEqual({
      available_from: '2026-05-01T10:20:00Z',
      available_to: null,
    });
    expect(availability(false)).toEqual({ available_from: null, available_to: null });
  });

  it('knows ranges that reach into the next day', () => {
    expect(crossesMidnight({ day: 'fri', from: '22:00', till: '02:00' })).toBe(true);
    expect(crossesMidnight({ day: 'fri', from: '11:00', till: '20:00' })).toBe(false);
    expect(crossesMidnight({ day: 'fri', from: '10:00', till: '10:00' })).toBe(true);
  });

  it('names incomplete ranges', () => {
    expect(
      rangeFaults([
        { day: 'mon', from: '11:00', till: '20:00' },
        { day: 'mon', from: '', till: '20:00' },
      ]),
    ).toEqual([1]);
  });
});

it('only what differs is sent', () => {
  expect(changes({ a: 1, b: null, c: ['x'] }, { a: 1, b: 'new', c: ['x'] })).toEqual({ b: 'new' });
});

it('my changes lie on top of theirs, field by field', () => {
  const base = { name: 'Leves', price: '100', color: 'red' };
  expect(mergeFields(base, { ...base, name: 'Levesek' }, { ...base, price: '200' })).toEqual({
    name: 'Levesek',
    price: '200',
    color: 'red',
  });
  expect(mergeFields(base, { ...base, price: '150' }, { ...base, price: '200' }).price).toBe('150');
});

it('counts texts without a translation', () => {
  expect(
    untranslated({ name: 'Leves', name_sec_lang: '', description: 'Forró', description_sec_lang: ' ' }),
  ).toBe(2);
  expect(
    untranslated({ name: 'Leves', name_sec_lang: 'Soup', description: '', description_sec_lang: '' }),
  ).toBe(0);
});

describe('comparison of two versions', () => {
  const fact = (path: string, value: unknown): Fact => ({ path, label: path, value, text: String(value) });

  it('shows changes of one side, and marks fields that both changed', () => {
    const base = [fact('name', 'a'), fact('price', '1'), fact('color', 'x')];
    const rows = differences(
      base,
      [fact('name', 'b'), fact('price', '2'), fact('color', 'x')],
      [fact('name', 'a'), fact('price', '3'), fact('color', 'x')],
    );
    expect(rows.map(({ path, by, mine, theirs }) => [path, by, mine, theirs])).toEqual([
      ['name', 'mine', 'b', 'a'],
      ['price', 'both', '2', '3'],
    ]);
  });

  it('finds removed and added rows', () => {
    const base = [fact('subproducts.1.name', 'Nagy')];
    expect(differences(base, base, [])).toEqual([
      {
        path: 'subproducts.1.name',
        label: 'subproducts.1.name',
        mine: 'Nagy',
        theirs: undefined,
        by: 'theirs',
      },
    ]);
    expect(differences([], [], base)[0]).toMatchObject({ mine: undefined, theirs: 'Nagy' });
  });

  it('is empty when both did the same', () => {
    expect(differences([fact('name', 'a')], [fact('name', 'b')], [fact('name', 'b')])).toEqual([]);
  });
});
