import { expect, it } from 'vitest';
import type { Discount, TimeRange } from '../../generated/model';
import { categoryChoices } from '../categories-and-products/shared/categoryChoices';
import { stateOf, timesText, unbroken } from './words';

const NOW = Date.parse('2026-06-01T12:00:00Z');
const at = (change: Partial<Discount>) => ({ active: true, isValid: false, ...change }) as Discount;

it.each<[Partial<Discount>, string]>([
  [{ active: false, isValid: false, valid_till: '2026-05-01T00:00:00Z' }, 'off'],
  [{ isValid: true }, 'valid'],
  [{ valid_from: '2026-07-01T00:00:00Z' }, 'later'],
  [{ valid_till: '2026-05-01T00:00:00Z' }, 'over'],
  [{ valid_from: '2026-05-01T00:00:00Z', all_max_use_qty: 1 }, 'used_up'],
])('%o is %s', (change, state) => {
  expect(stateOf(at(change), NOW)).toBe(state);
});

it('categories are named with the one above them', () => {
  const category = (id: string, name: string, parent_id: string | null = null) => ({ id, name, parent_id });
  expect(
    categoryChoices([category('1', 'Italok'), category('2', 'Sörök', '1'), category('3', 'Ételek')]),
  ).toEqual([
    { id: '3', label: 'Ételek' },
    { id: '1', label: 'Italok' },
    { id: '2', label: 'Italok › Sörök' },
  ]);
});

it('days of one time stand together, those in a row as from and till', () => {
  const range = (day: TimeRange['day'], till = '14:00') => ({ day, from: '11:00', till });
  expect(timesText([range('wed'), range('mon'), range('tue')], 'hu')).toBe('H–Sze 11:00–14:00');
  expect(timesText([range('mon'), range('tue'), range('sun', '20:00')], 'en')).toBe(
    'Mon, Tue 11:00–14:00; Sun 11:00–20:00',
  );
});

it.each([
  ['Ingyenes kiszállítás 8 000 Ft felett', 'Ingyenes kiszállítás 8\u00a0000\u00a0Ft felett'],
  ['10 % az 1 250 000 forintból', '10\u00a0% az 1\u00a0250\u00a0000 forintból'],
  ['2 pizza, 3 1234', '2 pizza, 3 1234'],
])('keeps amounts of %s together', (name, shown) => {
  expect(unbroken(name)).toBe(shown);
});
