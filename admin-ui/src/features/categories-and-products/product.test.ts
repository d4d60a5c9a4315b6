import { describe, expect, it } from 'vitest';
import {
  mergeProduct,
  newProduct,
  newSubproduct,
  priceRange,
  productBody,
  type ProductDraft,
  productDraft,
  productFaults,
  productPath,
  sellable,
  type SubproductDraft,
} from './product';
import { INHERITS } from './shared/draft';
import type { Product, Subproduct } from './shared/types';

const size = (id: string, name: string, price: number, over: Partial<Subproduct> = {}): Subproduct => ({
  id,
  product_id: 'p',
  name,
  name_sec_lang: null,
  description: null,
  description_sec_lang: null,
  price,
  active: true,
  ranking: 0,
  ...INHERITS,
  option_groups: [],
  option_group_ids: [],
  allergenic_ids: [],
  allergen_free: false,
  ean_code: null,
  daily_quantity: null,
  off_until: null,
  wolt_id: null,
  foodora_id: null,
  bolt_id: null,
  ordering_id: null,
  hiopos_id: null,
  ntak_quantity: null,
  sellable_quantity: null,
  deposit_pieces: 0,
  components: [],
  effective: {} as Subproduct['effective'],
  ...over,
});
const row = (subproducts: Subproduct[]): Product => ({
  id: 'p',
  product_category_id: 'c',
  name: 'Limonádé',
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
  pos_color_id: null,
  ean_code: null,
  hiopos_id: null,
  image_id: null,
  image: null,
  base_price: null,
  subproducts,
  version: 3,
  effective: {} as Product['effective'],
});
const two = () =>
  productDraft(row([size('s', 'Kicsi', 850), size('l', 'Nagy', 1250, { sellable_quantity: 12 })]));
const change = (draft: ProductDraft, key: string, part: Partial<SubproductDraft>): ProductDraft => ({
  ...draft,
  subproducts: draft.subproducts.map((s) => (s.key === key ? { ...s, ...part } : s)),
});

describe('what a save sends', () => {
  it('quantities of the tax report as they are typed, without superfluous zeros', () => {
    const base = productDraft(row([size('s', 'Kicsi', 850, { ntak_quantity: '0.3000' as never })]));
    expect(base.subproducts[0]!.ntak_quantity).toBe('0.3');
    expect(productBody(change(base, 's', { ntak_quantity: '0.30' }), base)).toEqual({});
    const body = (ntak_quantity: string) => productBody(change(base, 's', { ntak_quantity }), base);
    expect(body('0.5')).toEqual({ subproducts: [{ id: 's', ntak_quantity: '0.5' }] });
    expect(body('')).toEqual({ subproducts: [{ id: 's', ntak_quantity: null }] });
    for (const [text, right] of [
      ['', true],
      ['0.0001', true],
      ['100000', true],
      ['0', false],
      ['-1', false],
      ['0.00001', false],
      ['100000.1', false],
    ] as const)
      expect(
        productFaults(change(base, 's', { ntak_quantity: text }))['subproducts.s.ntak_quantity'] ===
          undefined,
        text,
      ).toBe(right);
  });

  it('no category of the tax report of a new size: the one of the last size may have ended', () => {
    const base = productDraft(
      row([size('s', 'Kicsi', 850, { ntak_category_id: 'old', ntak_quantity_unit: 'liter', vat_id: 'v' })]),
    );
    expect(newSubproduct(base.subproducts[0])).toMatchObject({
      ntak_category_id: null,
      ntak_quantity_unit: null,
      vat_id: 'v',
    });
  });

  it('nothing while nothing differs, also after typing a price another way', () => {
    const base = two();
    expect(productBody(base, base)).toEqual({});
    expect(productBody(change(base, 's', { price: '850.00', name: ' Kicsi ' }), base)).toEqual({});
    const fresh = newProduct('c');
    expect(productBody(fresh, fresh)).toEqual({});
  });

  it('all sizes with only their changed fields, so counted quantities of others stay', () => {
    const base = two();
    expect(productBody(change(base, 's', { price: '900' }), base)).toEqual({
      subproducts: [{ id: 's', price: '900' }, { id: 'l' }],
    });
  });

  it('an emptied name of the only size is the name of the product', () => {
    const base = productDraft(row([size('a', '30 cm', 690)]));
    const draft = { ...base, subproducts: [{ ...base.subproducts[0]!, name: ' ' }] };
    expect(productBody(draft, base)).toEqual({ subproducts: [{ id: 'a', name: 'Limonádé' }] });
  });

  it('ids in other systems, of the product and of a size; a new size has none of them', () => {
    const base = productDraft({ ...row([size('a', 'Kicsi', 690, { wolt_id: 'w1' })]), hiopos_id: 'p1' });
    const draft = { ...change(base, 'a', { wolt_id: '', bolt_id: ' b1 ' }), hiopos_id: 'p2' };
    expect(productBody(draft, base)).toEqual({
      hiopos_id: 'p2',
      subproducts: [{ id: 'a', wolt_id: null, bolt_id: 'b1' }],
    });
    expect(newSubproduct(base.subproducts[0])).toMatchObject({ wolt_id: '', bolt_id: '' });
  });

  it('the order of the sizes', () => {
    const base = two();
    expect(productBody({ ...base, subproducts: base.subproducts.toReversed() }, base)).toEqual({
      subproducts: [{ id: 'l' }, { id: 's' }],
    });
  });

  it('a new size whole, without its id and without an empty name', () => {
    const base = two();
    const added = newSubproduct(base.subproducts[1]);
    const body = productBody(
      { ...base, subproducts: [...base.subproducts, { ...added, price: '1500' }] },
      base,
    ) as { subproducts: object[] };
    expect(body.subproducts.slice(0, 2)).toEqual([{ id: 's' }, { id: 'l' }]);
    expect(body.subproducts[2]).toMatchObject({
      price: '1500',
      active: true,
      option_group_ids: [],
      sellable_quantity: null,
    });
    expect(body.subproducts[2]).not.toHaveProperty('id');
    expect(body.subproducts[2]).not.toHaveProperty('key');
    expect(body.subproducts[2]).not.toHaveProperty('name');
  });

  it('a removed size by leaving it out', () => {
    const base = two();
    expect(productBody({ ...base, subproducts: base.subproducts.slice(0, 1) }, base)).toEqual({
      subproducts: [{ id: 's' }],
    });
  });

  it('emptied texts as null, of a new product everything', () => {
    const base = productDraft({ ...row([size('s', 'Kicsi', 850)]), description: 'Hideg' });
    expect(productBody({ ...base, description: ' ' }, base)).toEqual({ description: null });
    expect(productBody({ ...newProduct('c'), name: ' Tea ' })).toMatchObject({
      name: 'Tea',
      product_category_id: 'c',
      description: null,
      subproducts: [{ price: null }],
    });
  });
});

it('a new size copies shared fields, not distinguishing ones', () => {
  const like = {
    ...two().subproducts[0]!,
    option_group_ids: ['g'],
    allergenic_ids: ['a'],
    vat_id: 'v',
    ean_code: '599',
    sellable_quantity: 5,
  };
  expect(newSubproduct(like)).toMatchObject({
    option_group_ids: ['g'],
    allergenic_ids: ['a'],
    vat_id: 'v',
    name: '',
    price: '',
    ean_code: '',
    sellable_quantity: null,
  });
  expect(newSubproduct(like).key).not.toBe(newSubproduct(like).key);
});

describe('two editors', () => {
  it('keep both changes of different sizes and fields', () => {
    const base = two();
    const merged = mergeProduct(base, change(base, 's', { price: '900' }), {
      ...change(base, 'l', { price: '1300', sellable_quantity: 3 }),
      name: 'Limonádék',
    });
    expect(merged.name).toBe('Limonádék');
    expect(merged.subproducts.map((s) => [s.key, s.price, s.sellable_quantity])).toEqual([
      ['s', '900', null],
      ['l', '1300', 3],
    ]);
  });

  it('keep my new size and theirs, drop what one removed', () => {
    const base = two();
    const mine = {
      ...base,
      subproducts: [...base.subproducts, { ...newSubproduct(), key: 'new-x', name: 'Óriás' }],
    };
    const theirs = {
      ...base,
      subproducts: [base.subproducts[0]!, { ...base.subproducts[0]!, key: 'm', id: 'm', name: 'Közepes' }],
    };
    expect(mergeProduct(base, mine, theirs).subproducts.map((s) => s.key)).toEqual(['s', 'm', 'new-x']);
  });

  it('keep my order when I changed it', () => {
    const base = two();
    const mine = { ...base, subproducts: base.subproducts.toReversed() };
    expect(
      mergeProduct(base, mine, change(base, 's', { price: '1' })).subproducts.map((s) => [s.key, s.price]),
    ).toEqual([
      ['l', '1250'],
      ['s', '1'],
    ]);
  });
});

describe('faults', () => {
  it('name and price are needed, names of sizes when there are several', () => {
    const fresh = newProduct('c');
    const key = fresh.subproducts[0]!.key;
    expect(productFaults(fresh)).toEqual({
      name: 'form.required',
      [`subproducts.${key}.price`]: 'form.required',
    });
    const base = change(two(), 'l', { name: ' ' });
    expect(productFaults(base)).toEqual({ 'subproducts.l.name': 'form.required' });
    expect(productFaults(change(productDraft(row([size('s', '', 1)])), 's', { name: '' }))).toEqual({});
  });

  it('of the service stand at the size that was meant, also after sorting', () => {
    const draft = two();
    expect(productPath('subproducts.1.price', draft)).toBe('subproducts.l.price');
    expect(
      productPath('subproducts.1.price', { ...draft, subproducts: draft.subproducts.toReversed() }),
    ).toBe('subproducts.s.price');
    expect(productPath('base_price', productDraft(row([size('s', 'A', 1)])))).toBe('subproducts.s.price');
    expect(productPath('new_product_category_id', draft)).toBe('product_category_id');
    expect(productPath('subproducts.0.option_group_ids.2', draft)).toBe('subproducts.s.option_group_ids');
    expect(productPath('nothing', draft)).toBeUndefined();
  });
});

it('counting begins with 20 pieces and makes the size active; off is null', () => {
  expect(sellable('on')).toEqual({ sellable_quantity: 20, active: true });
  expect(sellable(3)).toEqual({ sellable_quantity: 3, active: true });
  expect(sellable(0)).toEqual({ sellable_quantity: 0 });
  expect(sellable(null)).toEqual({ sellable_quantity: null });
});

it('prices of sizes are compared as numbers', () => {
  expect(priceRange([{ price: 1000 }, { price: 900 }, { price: 1200 }])).toEqual([900, 1200]);
  expect(priceRange([])).toBeUndefined();
});

describe('components and deposits', () => {
  const menu = () =>
    productDraft(
      row([
        size('s1', 'Ebédmenü', 2500, {
          deposit_pieces: 1,
          components: [{ subproduct_id: 'soup', pieces: 1 }],
        }),
      ]),
    );
  const withComponents = (components: SubproductDraft['components']): ProductDraft => {
    const base = menu();
    return { ...base, subproducts: [{ ...base.subproducts[0]!, components }] };
  };

  it('nothing is sent while they are as they were', () => {
    expect(productBody(menu(), menu())).toEqual({});
  });

  it('are sent whole when one differs', () => {
    const [soup] = menu().subproducts[0]!.components;
    const drink = { key: 'new-1', subproduct_id: 'drink', pieces: 2 };
    expect(productBody(withComponents([soup!, drink]), menu())).toEqual({
      subproducts: [
        {
          id: 's1',
          components: [
            { subproduct_id: 'soup', pieces: 1 },
            { subproduct_id: 'drink', pieces: 2 },
          ],
        },
      ],
    });
    expect(productBody(withComponents([]), menu())).toEqual({ subproducts: [{ id: 's1', components: [] }] });
  });

  it.each([
    [null, 1],
    ['drink', null],
    ['drink', 0],
  ])('%s × %s is unfinished', (subproduct_id, pieces) => {
    expect(productFaults(withComponents([{ key: 'k', subproduct_id, pieces }]))).toEqual({
      'subproducts.s1.components': 'subproducts.component_incomplete',
    });
  });

  it('what the service refuses of a part stands at the parts', () => {
    expect(productPath('subproducts.0.components.1.subproduct_id', menu())).toBe('subproducts.s1.components');
  });

  it('another size of the product has the same bottles, and no parts', () => {
    expect(newSubproduct(menu().subproducts[0])).toMatchObject({ deposit_pieces: 1, components: [] });
  });
});
