import { expect, it } from 'vitest';
import type { Discount } from '../../generated/model';
import { categoryChoices } from './api';
import { stateOf } from './words';

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
