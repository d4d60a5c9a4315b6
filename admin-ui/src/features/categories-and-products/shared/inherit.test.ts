import { describe, expect, it } from 'vitest';
import { INHERITS } from './draft';
import { categoryLevels, hiddenBy, hiddenOn, restaurantLevel, inherited, type Level, SHOWN } from './inherit';
import { CHANNELS } from './types';

const restaurant = restaurantLevel({ vat_id: '27', sit_in_vat_id: '5' });
const category = (over: object, parent_id: string | null = null, name = 'Üdítők') => ({
  id: 'c',
  name,
  parent_id,
  ...INHERITS,
  ...over,
});

describe('the value that a row would inherit', () => {
  it('comes from the nearest level with a value', () => {
    const levels: Level[] = [
      { origin: 'product', own: { ...INHERITS } },
      { origin: 'category', name: 'Üdítők', own: { ...INHERITS, vat_id: '18' } },
      restaurant,
    ];
    expect(inherited(levels, 'vat_id')).toEqual({ value: '18', origin: 'category', name: 'Üdítők' });
    expect(inherited(levels, 'sit_in_vat_id')).toEqual({ value: '5', origin: 'restaurant', name: undefined });
  });

  it('takes a no as an answer', () => {
    const levels: Level[] = [
      { origin: 'category', own: { ...INHERITS, visible_online: false } },
      { origin: 'parent_category', own: { ...INHERITS, visible_online: true } },
      restaurant,
    ];
    expect(inherited(levels, 'visible_online')).toMatchObject({ value: false, origin: 'category' });
  });

  it('is visible and leaves the fee open without any value', () => {
    for (const channel of CHANNELS)
      expect(inherited([restaurant], channel)).toMatchObject({ value: true, origin: 'restaurant' });
    expect(inherited([restaurant], 'has_tip')).toMatchObject({ value: null, origin: 'restaurant' });
  });
});

it('a category stands below its parent', () => {
  const byId = new Map([
    ['p', category({}, null, 'Italok')],
    ['c', category({}, 'p')],
  ]);
  expect(categoryLevels(byId, 'c').map((l) => [l.origin, l.name])).toEqual([
    ['category', 'Üdítők'],
    ['parent_category', 'Italok'],
  ]);
  expect(categoryLevels(byId, 'gone')).toEqual([]);
});

it('names the channels on which a row cannot be seen', () => {
  const effective = Object.fromEntries(
    CHANNELS.map((channel) => [channel, { value: channel !== 'visible_phone' }]),
  ) as Record<(typeof CHANNELS)[number], { value: boolean }>;
  expect(hiddenOn(effective)).toEqual(['visible_phone']);
  const group = { ...INHERITS, visible_online: false };
  expect(hiddenBy(INHERITS, group)).toEqual(['visible_online']);
  expect(hiddenBy({ ...INHERITS, visible_online: true }, group)).toEqual([]);
  expect(Object.values(SHOWN).every(Boolean)).toBe(true);
});
