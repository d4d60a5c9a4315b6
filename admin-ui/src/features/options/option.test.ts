import { describe, expect, it } from 'vitest';
import { choice } from '../categories-and-products/shared/choice';
import { groupBody, groupFaults, newGroup, newOption, optionBody, optionFaults, PRESETS } from './option';
import type { OptionGroup } from '../categories-and-products/shared/types';
import { jumpOf, placeOf } from './routes';
import { usesOf } from './uses';

it('types begin with their numbers', () => {
  expect(PRESETS).toEqual({
    exclusive: { min_no_options: 1, max_no_options: 1 },
    inclusive: { min_no_options: 0, max_no_options: 0 },
    min_max: { min_no_options: 1, max_no_options: 3 },
  });
  expect(newGroup()).toMatchObject({ type: 'exclusive', ...PRESETS.exclusive, active: true });
});

it.each([
  [0, 0, 'any'],
  [1, 1, 'exactly'],
  [0, 3, 'up_to'],
  [2, 0, 'at_least'],
  [1, 3, 'between'],
])('%i to %i is said as "%s"', (min, max, kind) => {
  expect(choice({ min_no_options: min, max_no_options: max })).toEqual({
    key: `option_groups.choice_${kind}`,
    min,
    max,
  });
});

it('type and numbers travel together, empty numbers are 0', () => {
  const base = newGroup();
  expect(groupBody(base, base)).toEqual({});
  expect(groupBody({ ...base, type: 'min_max', min_no_options: 1, max_no_options: null }, base)).toEqual({
    type: 'min_max',
    min_no_options: 1,
    max_no_options: 0,
  });
});

describe('faults', () => {
  it('a maximum below the minimum, unless it is 0', () => {
    const group = { ...newGroup(), name: 'Köret', type: 'min_max' as const };
    expect(groupFaults({ ...group, min_no_options: 3, max_no_options: 2 })).toEqual({
      max_no_options: 'option_groups.max_below_min',
    });
    expect(groupFaults({ ...group, min_no_options: 3, max_no_options: 0 })).toEqual({});
  });

  it('a name is needed', () => {
    expect(groupFaults(newGroup())).toEqual({ name: 'form.required' });
    expect(optionFaults(newOption('g'))).toEqual({ name: 'form.required' });
  });
});

it('an empty price is 0', () => {
  expect(optionBody({ ...newOption('g'), name: 'Rizs' })).toMatchObject({
    name: 'Rizs',
    price: '0',
    option_group_id: 'g',
  });
  const base = { ...newOption('g'), name: 'Rizs', price: '0' };
  expect(optionBody({ ...base, price: '' }, base)).toEqual({});
});

it('an option stands for a size, or for none', () => {
  const base = { ...newOption('g'), name: 'Kóla' };
  expect(optionBody(base)).toMatchObject({ subproduct_id: null, subproduct_pieces: 1 });
  const drink = { ...base, subproduct_id: 's', subproduct_pieces: 2 };
  expect(optionBody(drink, base)).toEqual({ subproduct_id: 's', subproduct_pieces: 2 });
  expect(optionBody({ ...drink, subproduct_id: null, subproduct_pieces: null }, drink)).toEqual({
    subproduct_id: null,
    subproduct_pieces: 1,
  });
});

it('addresses describe what is shown', () => {
  const isNew = (segment: string | undefined) => segment === 'uj' || segment === 'new';
  expect(placeOf([], isNew)).toEqual({ at: 'groups' });
  expect(placeOf(['new'], isNew)).toEqual({ at: 'groups', editor: 'new' });
  expect(placeOf(['g'], isNew)).toEqual({ at: 'options', group: 'g' });
  expect(placeOf(['g', 'szerkesztes'], isNew)).toEqual({ at: 'options', group: 'g', editor: 'group' });
  expect(placeOf(['g', 'o'], isNew)).toEqual({ at: 'options', group: 'g', editor: { option: 'o' } });
  expect(jumpOf({ option_id: 'o' }, new URLSearchParams())).toEqual({ option: 'o' });
  expect(jumpOf(undefined, new URLSearchParams())).toBeUndefined();
});

it('ids in other systems are trimmed, and empty ones are none', () => {
  const base = { ...newOption('g'), name: 'Sajt', wolt_id: 'w1' };
  expect(optionBody(base)).toMatchObject({ wolt_id: 'w1', hiopos_product_id: null });
  expect(optionBody({ ...base, wolt_id: ' ', bolt_id: ' b1 ' }, base)).toEqual({
    wolt_id: null,
    bolt_id: 'b1',
  });
  const group = { ...newGroup(), name: 'Feltét' };
  expect(groupBody({ ...group, hiopos_id: '7' }, group)).toEqual({ hiopos_id: '7' });
});

it('what uses a group stands by category and product', () => {
  const size = (name: string, product: string, home: string) => ({
    id: `${product}-${name}`,
    name,
    product_id: product,
    product_name: product,
    product_category_id: home,
  });
  const category = (id: string, parent_name: string | null, subproduct_count: number) => ({
    id,
    name: id,
    parent_name,
    subproduct_count,
  });
  const uses = usesOf({
    subproducts: [
      size('30 cm', 'Sonkás', 'Pizzák'),
      size('45 cm', 'Sonkás', 'Pizzák'),
      size('Kóla', 'Kóla', 'Italok'),
    ],
    product_categories: [category('Pizzák', 'Ételek', 2), category('Italok', null, 1)],
  } as OptionGroup);
  expect(uses).toEqual([
    {
      id: 'Pizzák',
      label: 'Ételek › Pizzák',
      count: 2,
      products: [{ id: 'Sonkás', name: 'Sonkás', sizes: ['30 cm', '45 cm'] }],
    },
    { id: 'Italok', label: 'Italok', count: 1, products: [{ id: 'Kóla', name: 'Kóla', sizes: [] }] },
  ]);
});
