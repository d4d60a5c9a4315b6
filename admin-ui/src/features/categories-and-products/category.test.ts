import { describe, expect, it } from 'vitest';
import { categoryBody, newCategory, parentChoices, productHomes } from './category';
import { EDIT, jumpOf, placeOf } from './routes';
import { INHERITS } from './shared/draft';
import type { ProductCategory } from './shared/types';

const category = (id: string, over: Partial<ProductCategory> = {}): ProductCategory => ({
  id,
  parent_id: null,
  name: id,
  name_sec_lang: null,
  description: null,
  description_sec_lang: null,
  ranking: 0,
  active: true,
  archived_at: null,
  ...INHERITS,
  available_from: null,
  available_to: null,
  expected_at: null,
  time_ranges: null,
  pos_color_id: null,
  image_web_id: null,
  image_web: null,
  image_app_id: null,
  image_app: null,
  image_desc_id: null,
  image_desc: null,
  origin_id: id,
  version: 1,
  effective: {} as ProductCategory['effective'],
  children_count: 0,
  product_count: 0,
  ...over,
});

describe('main category', () => {
  const all = [
    category('Italok', { children_count: 2 }),
    category('Levesek', { product_count: 4 }),
    category('Sörök', { parent_id: 'Italok' }),
    category('Új'),
    category('Régi', { archived_at: '2026-01-01T00:00:00Z' }),
  ];

  it('is a top-level one without products, not the category itself', () => {
    expect(parentChoices(all, undefined).map((c) => c.id)).toEqual(['Italok', 'Új']);
    expect(parentChoices(all, all[3]).map((c) => c.id)).toEqual(['Italok']);
  });

  it('is the present one, even if it could not be chosen any more', () => {
    const rows = [
      category('Italok', { archived_at: '2026-01-01T00:00:00Z', children_count: 1 }),
      category('Sörök', { parent_id: 'Italok' }),
    ];
    expect(parentChoices(rows, rows[1]).map((c) => c.id)).toEqual(['Italok']);
  });

  it('is none for a category that has sub-categories', () => {
    expect(parentChoices(all, all[0])).toEqual([]);
  });
});

it('products live in categories without sub-categories, in the order of the menu', () => {
  const all = [
    category('Italok', { ranking: 1, children_count: 2 }),
    category('Levesek', { ranking: 0 }),
    category('Borok', { parent_id: 'Italok', ranking: 1 }),
    category('Sörök', { parent_id: 'Italok', ranking: 0 }),
  ];
  expect(productHomes(all).map((home) => home.path)).toEqual(['Levesek', 'Italok › Sörök', 'Italok › Borok']);
});

it('a save sends what differs; no ranges are null, times are plain', () => {
  expect(
    categoryBody({ ...newCategory(null), time_ranges: [{ day: 'fri', from: '9.30', till: '22' }] }),
  ).toMatchObject({ time_ranges: [{ day: 'fri', from: '09:30', till: '22:00' }] });
  const base = newCategory(null);
  expect(categoryBody(base, base)).toEqual({});
  expect(
    categoryBody(
      { ...base, name: ' Levesek ', time_ranges: [{ day: 'every_day', from: '11:00', till: '20:00' }] },
      base,
    ),
  ).toEqual({ name: 'Levesek', time_ranges: [{ day: 'every_day', from: '11:00', till: '20:00' }] });
  expect(categoryBody(base)).toMatchObject({ time_ranges: null, description: null, parent_id: null });
});

describe('addresses', () => {
  const isNew = (segment: string | undefined) => segment === 'uj' || segment === 'new';

  it('say what is shown', () => {
    expect(placeOf([], isNew)).toEqual({ at: 'contents', category: undefined });
    expect(placeOf(['uj'], isNew)).toEqual({ at: 'new-category' });
    expect(placeOf(['c'], isNew)).toEqual({ at: 'contents', category: 'c' });
    expect(placeOf(['c', EDIT.hu], isNew)).toEqual(placeOf(['c', EDIT.en], isNew));
    expect(placeOf(['c', 'new'], isNew)).toEqual({ at: 'new-product', category: 'c' });
    expect(placeOf(['c', 'p'], isNew)).toEqual({ at: 'product', category: 'c', product: 'p' });
  });

  it('take jumps from the navigation and from the query', () => {
    expect(jumpOf({ product_id: 'p', subproduct_id: 's' }, new URLSearchParams('category_id=c'))).toEqual({
      category: 'c',
      product: 'p',
      subproduct: 's',
    });
    expect(jumpOf(null, new URLSearchParams('q=x'))).toBeUndefined();
  });
});
