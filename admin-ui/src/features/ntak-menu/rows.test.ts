import { describe, expect, it } from 'vitest';
import type { NtakProposal } from '../../generated/model';
import type { Product, ProductCategory } from '../categories-and-products/shared/types';
import { harmless, keyOf, menuRows, nameOf, takes } from './rows';

const proposal = (over: Partial<NtakProposal>): NtakProposal => ({
  level: 'product',
  id: 'p',
  product_category_id: 'c',
  product_id: 'p',
  category: 'Italok',
  product: 'Sör',
  ntak_category_id: 'beer',
  ntak_quantity_unit: 'liter',
  replaces: false,
  ...over,
});

const effective = (category: string | null, unit: 'liter' | 'portion' | null) =>
  ({
    ntak_category: { id: category, from: 'category' },
    ntak_quantity_unit: { value: unit, from: 'category' },
  }) as ProductCategory['effective'];

const category = (over: Partial<ProductCategory>) =>
  ({
    parent_id: null,
    ranking: 0,
    ntak_category_id: null,
    ntak_quantity_unit: null,
    effective: effective(null, null),
    ...over,
  }) as ProductCategory;

describe('a proposal that is taken', () => {
  it('sends only what it would set', () => {
    expect(takes(proposal({}))).toEqual({
      level: 'product',
      id: 'p',
      ntak_category_id: 'beer',
      ntak_quantity_unit: 'liter',
    });
    const size = proposal({
      level: 'subproduct',
      id: 's',
      ntak_category_id: null,
      ntak_quantity_unit: null,
      ntak_quantity: 0.5,
    });
    expect(takes(size)).toEqual({ level: 'subproduct', id: 's', ntak_quantity: 0.5 });
  });

  it('is chosen from the start unless it replaces something', () => {
    const rows = [proposal({}), proposal({ id: 'q', replaces: true })];
    expect([...harmless(rows)]).toEqual([keyOf(rows[0]!)]);
  });
});

it('names a row by what is most exact of it', () => {
  expect(nameOf({ category: 'Italok', product: 'Sör', subproduct: '3 dl' })).toBe('Sör, 3 dl');
  expect(nameOf({ category: 'Italok', product: 'Sör', subproduct: null })).toBe('Sör');
  expect(nameOf({ category: 'Italok', product: null })).toBe('Italok');
});

it('lists the whole menu in its order, with what holds', () => {
  const beer = {
    id: 'p',
    product_category_id: 'beers',
    name: 'Sör',
    ntak_category_id: 'beer',
    ntak_quantity_unit: null,
    effective: effective('beer', 'liter'),
    subproducts: [
      {
        id: 's',
        name: '3 dl',
        ntak_category_id: null,
        ntak_quantity_unit: null,
        ntak_quantity: 0.3,
        effective: effective('beer', 'liter'),
      },
    ],
  } as Product;
  const rows = menuRows([
    { ...category({ id: 'beers', name: 'Sörök', parent_id: 'drinks', ranking: 1 }), products: [beer] },
    category({ id: 'wines', name: 'Borok', parent_id: 'drinks', ranking: 0 }),
    category({ id: 'soups', name: 'Levesek', ranking: 1, ntak_category_id: 'soup' }),
    category({ id: 'drinks', name: 'Italok', ranking: 0 }),
  ]);
  expect(rows.map((row) => [nameOf(row), row.category, row.path, row.own])).toEqual([
    ['Italok', 'Italok', 'drinks', false],
    ['Italok > Borok', 'Italok > Borok', 'wines', false],
    ['Italok > Sörök', 'Italok > Sörök', 'beers', false],
    ['Sör', 'Italok > Sörök', 'beers/p', true],
    ['Sör, 3 dl', 'Italok > Sörök', 'beers/p', false],
    ['Levesek', 'Levesek', 'soups', true],
  ]);
  expect(rows[4]).toMatchObject({
    ntak_category_id: 'beer',
    ntak_quantity_unit: 'liter',
    ntak_quantity: '0.3',
  });
});
