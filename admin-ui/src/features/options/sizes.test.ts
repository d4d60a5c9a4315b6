import { expect, it } from 'vitest';
import { type CategoryWithProducts, choose, difference, matching, sizesOf, sizeTree } from './sizes';

const category = (id: string, name: string, rest: Partial<CategoryWithProducts> = {}) =>
  ({
    id,
    name,
    parent_id: null,
    ranking: 0,
    children_count: 0,
    products: [],
    ...rest,
  }) as unknown as CategoryWithProducts;

const product = (id: string, name: string, sizes: [string, string, string[]][]) => ({
  id,
  name,
  active: true,
  subproducts: sizes.map(([size, sizeName, option_group_ids]) => ({
    id: size,
    name: sizeName,
    active: true,
    option_group_ids,
  })),
});

const menu = [
  category('drinks', 'Italok', { children_count: 1, ranking: 1 }),
  category('soft', 'Üdítők', {
    parent_id: 'drinks',
    products: [product('cola', 'Kóla', [['cola-1', 'Kóla', []]])] as never,
  }),
  category('pizza', 'Pizzák', {
    products: [
      product('ham', 'Sonkás', [
        ['ham-30', '30 cm', ['topping']],
        ['ham-45', '45 cm', []],
      ]),
      product('fungi', 'Gombás', [['fungi-30', '30 cm', []]]),
    ] as never,
  }),
  category('empty', 'Üres'),
];

const ids = (tree: ReturnType<typeof sizeTree>) =>
  tree.flatMap((row) => sizesOf(row.products)).map((size) => size.id);

it('shows categories with products, each with its path', () => {
  const tree = sizeTree(menu, 'topping');
  expect(tree.map((row) => row.path)).toEqual(['Pizzák', 'Italok › Üdítők']);
  expect(tree[0]!.products[0]!.sizes.map((size) => size.has)).toEqual([true, false]);
});

it.each([
  ['', ['ham-30', 'ham-45', 'fungi-30', 'cola-1']],
  ['pizzak 30', ['ham-30', 'fungi-30']],
  ['GOMBAS', ['fungi-30']],
  ['udito', ['cola-1']],
  ['leves', []],
])('finds the sizes of "%s"', (search, found) => {
  expect(ids(matching(sizeTree(menu, 'topping'), search))).toEqual(found);
});

it('sends what differs only', () => {
  const tree = sizeTree(menu, 'topping');
  const pizza = sizesOf(tree[0]!.products);
  const all = choose(new Map(), pizza, true);
  expect(difference(tree, all)).toEqual({ add: ['ham-45', 'fungi-30'], remove: [] });
  const none = choose(all, pizza, false);
  expect(difference(tree, none)).toEqual({ add: [], remove: ['ham-30'] });
  const back = choose(none, [pizza[0]!], true);
  expect(difference(tree, back)).toEqual({ add: [], remove: [] });
  expect(back.size).toBe(0);
});
