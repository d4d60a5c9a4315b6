import { describe, expect, it } from 'vitest';
import type { FeaturedProduct, ProductShort } from '../../generated/model';
import { completed } from './api';
import { choicesOf } from './choices';

describe('an order', () => {
  it('names the rows that are there, each once; what it does not know stands last', () => {
    expect(completed(['c', 'gone', 'a'], ['a', 'b', 'c'])).toEqual(['c', 'a', 'b']);
    expect(completed([], ['a'])).toEqual(['a']);
    expect(completed(['a'], [])).toEqual([]);
  });
});

describe('the picker', () => {
  const product = (id: string, product_category_id: string) =>
    ({ id, name: id.toUpperCase(), product_category_id }) as ProductShort;
  it('offers by category what is not featured', () => {
    const menu = [product('a', '1'), product('b', '1'), product('c', '2'), product('d', '3')];
    const featured = [{ product_id: 'a' }, { product_id: 'c' }] as FeaturedProduct[];
    const found = choicesOf(menu, new Map([['1', 'Italok › Sörök']]), featured);
    expect(found.map((group) => [group.label, group.options.map((one) => one.label)])).toEqual([
      ['Italok › Sörök', ['B']],
      ['…', ['D']],
    ]);
  });
});
