import { describe, expect, it } from 'vitest';
import type { NtakProposal } from '../../generated/model';
import type { Product, ProductCategory } from '../categories-and-products/shared/types';
import { harmless, keyOf, menuRows, nameOf, offers, takes } from './rows';

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

const size = (over: Partial<NtakProposal>) =>
  proposal({
    level: 'subproduct',
    id: 's',
    subproduct: null,
    ntak_category_id: null,
    ntak_quantity_unit: null,
    ntak_quantity: 0.25,
    ...over,
  });

describe('the rows of the proposals', () => {
  it('has the quantity of the only size in the row of its product', () => {
    const [only, ...rest] = offers([proposal({}), size({ replaces: true })]);
    expect(rest).toEqual([]);
    expect(only).toMatchObject({ key: 'product:p', ntak_quantity: 0.25, unit: 'liter', replaces: true });
    expect(only!.parts.map(takes)).toEqual([
      { level: 'product', id: 'p', ntak_category_id: 'beer', ntak_quantity_unit: 'liter' },
      { level: 'subproduct', id: 's', ntak_quantity: 0.25 },
    ]);
  });

  it('has a row for each of several sizes, with the unit that it would inherit', () => {
    const rows = offers([
      proposal({}),
      size({ subproduct: '2,5 dl' }),
      size({ id: 't', subproduct: '5 dl' }),
    ]);
    expect(rows.map((row) => [row.key, row.unit, row.parts.length])).toEqual([
      ['product:p', 'liter', 1],
      ['subproduct:s', 'liter', 1],
      ['subproduct:t', 'liter', 1],
    ]);
    // Of another product, whose unit holds already.
    const [alone] = offers([size({ product_id: 'q', current_ntak_quantity_unit: 'liter' })]);
    expect(alone).toMatchObject({ key: 'subproduct:s', unit: 'liter' });
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
        components: [] as unknown[],
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
  expect(rows.some((row) => row.lacks)).toBe(false);
  expect(rows[4]).toMatchObject({
    ntak_category_id: 'beer',
    ntak_quantity_unit: 'liter',
    ntak_quantity: '0.3',
  });
});

it('is one line for a product with a size of its name, and says what lacks', () => {
  const product = (id: string, components: unknown[], own: 'beer' | null = null) =>
    ({
      id,
      product_category_id: 'c',
      name: id,
      ntak_category_id: null,
      ntak_quantity_unit: null,
      effective: effective(null, null),
      subproducts: [
        {
          id: `${id}-size`,
          name: id,
          ntak_category_id: own,
          ntak_quantity_unit: null,
          ntak_quantity: null,
          components,
          effective: effective(own, null),
        },
      ],
    }) as unknown as Product;
  const products = [product('Leves', []), product('Menü', ['part']), product('Sör', [], 'beer')];
  const rows = menuRows([{ ...category({ id: 'c', name: 'Minden' }), products }]);
  expect(rows.map((row) => [row.key, row.lacks])).toEqual([
    ['category:c', false],
    ['product:Leves', true],
    // Its parts are reported.
    ['product:Menü', false],
    ['product:Sör', true],
    ['subproduct:Sör-size', true],
  ]);
});
