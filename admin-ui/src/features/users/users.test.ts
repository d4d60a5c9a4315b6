import { describe, expect, it } from 'vitest';
import { bodyOf, draftOf, faultsOf, freshDraft } from './draft';
import { type Editor, keyLock, rowLock } from './rights';
import { hasEffect, matching, replace, stateOf, toggle, treeOf } from './tree';
import type { Admin, Permission } from './types';

const permission = (key: string, parent?: string): Permission => ({
  id: `id-${key}`,
  key,
  parent_id: parent ? `id-${parent}` : null,
  perm_type: parent ? 'action' : 'main',
  lang: 'hu',
  name: `Név ${key}`,
  description: 'Rendelések sztornózása',
  name_hu: `Név ${key}`,
  name_en: `Name ${key}`,
  description_hu: 'Rendelések sztornózása',
  description_en: 'Cancels',
});
const tree = treeOf([
  permission('order'),
  permission('order_accept', 'order'),
  permission('order_storno', 'order'),
  permission('user'),
  permission('pos_admin_perms'),
  permission('pos_cart_discount', 'pos_admin_perms'),
]);
const set = (...keys: string[]) => new Set(keys);
const editor = (change: Partial<Editor> = {}): Editor => ({
  admin: 'me',
  superAdmin: false,
  whole: false,
  full: false,
  keys: set('order', 'order_accept', 'user'),
  restaurants: ['r1', 'r2'],
  ...change,
});
const admin = (change: Partial<Admin> = {}): Admin => ({
  id: 'a',
  partner_id: 'p',
  target_id: 'r1',
  uid: null,
  email: 'eva@pult.example',
  name: 'Kovács Éva',
  first_name: 'Éva',
  last_name: 'Kovács',
  tel: '',
  language: 'hu',
  timezone: null,
  billing_details: null,
  addresses: [],
  status: 'active',
  provider: 'password',
  target_type: 'Restaurant',
  restaurant_ids: ['r1'],
  permission_ids: ['id-order'],
  permissions: ['order'],
  full_target_access: false,
  super_admin: false,
  surfaces: ['admin'],
  has_pin: true,
  max_discount_percent: 10,
  last_active_at: null,
  second_factor: false,
  version: 1,
  created_at: '2026-01-01T00:00:00Z',
  ...change,
});

describe('tree', () => {
  it('a child brings its parent, a parent takes its children', () => {
    expect([...toggle(tree, set(), 'order_accept', true)].sort()).toEqual(['order', 'order_accept']);
    expect([...toggle(tree, set('order', 'order_accept', 'user'), 'order', false)]).toEqual(['user']);
  });
  it('boxes have three states', () => {
    const order = tree.byKey.get('order')!;
    expect(stateOf(order, set())).toBe('off');
    expect(stateOf(order, set('order', 'order_accept'))).toBe('mixed');
    expect(stateOf(order, set('order', 'order_accept', 'order_storno'))).toBe('on');
  });
  it('applying a set of rights keeps those that the editor may not change', () => {
    const free = (key: string) => key !== 'order_storno';
    const { keys, left } = replace(
      tree,
      set('order', 'order_storno', 'user'),
      set('order_accept', 'pos_cart_discount'),
      free,
    );
    expect([...keys].sort()).toEqual([
      'order',
      'order_accept',
      'order_storno',
      'pos_admin_perms',
      'pos_cart_discount',
    ]);
    expect(left).toEqual([]);
    expect(replace(tree, set(), set('order_storno'), free).left).toEqual(['order_storno']);
  });
  it('is searched without accents, with parents and children of a hit', () => {
    expect(matching(tree, '  ', 'hu')).toBeUndefined();
    expect([...matching(tree, 'nev USER', 'hu')!]).toEqual(['user']);
    expect([...matching(tree, 'name order_acc', 'en')!].sort()).toEqual(['order', 'order_accept']);
  });
});

describe('rights', () => {
  it('only partner admins and super admins give rights that they lack', () => {
    expect(keyLock(editor(), tree, set(), false, 'order_storno')).toBe('users.lock_missing');
    expect(keyLock(editor(), tree, set(), false, 'order_accept')).toBeUndefined();
    expect(keyLock(editor({ whole: true }), tree, set(), false, 'order_storno')).toBeUndefined();
    expect(
      keyLock(editor({ superAdmin: true, keys: set() }), tree, set(), false, 'order_storno'),
    ).toBeUndefined();
    expect(keyLock(editor({ full: true, keys: set() }), tree, set(), false, 'order_storno')).toBeUndefined();
  });
  it('a parent with a child that the editor lacks is not taken', () => {
    expect(keyLock(editor(), tree, set('order', 'order_storno'), false, 'order')).toBe('users.lock_child');
  });
  it('own row, super admins, archived ones and those beyond reach are locked', () => {
    expect(rowLock(editor(), admin({ id: 'me' }))).toBe('users.lock_own');
    expect(rowLock(editor({ whole: true }), admin({ super_admin: true }))).toBe('users.lock_super');
    expect(rowLock(editor(), admin({ target_type: 'Partner', restaurant_ids: null }))).toBe(
      'users.lock_reach',
    );
    expect(rowLock(editor(), admin({ restaurant_ids: ['r1', 'r9'] }))).toBe('users.lock_reach');
    expect(rowLock(editor(), admin())).toBeUndefined();
    expect(rowLock(editor(), admin({ status: 'archived' }))).toBe('users.lock_archived');
    expect(rowLock(editor(), null)).toBeUndefined();
  });
});

describe('draft', () => {
  const body = bodyOf(tree);
  it('sends only what differs', () => {
    const base = draftOf(tree)(admin({ permission_ids: ['id-pos_admin_perms', 'id-pos_cart_discount'] }));
    expect(body(base, base)).toEqual({});
    expect(body({ ...base, tel: '1 ' }, base)).toEqual({ tel: '1' });
    expect(body({ ...base, max_discount_percent: '10.0' }, base)).toEqual({});
    expect(body({ ...base, target_type: 'Partner' }, base)).toEqual({
      target_type: 'Partner',
      restaurant_ids: null,
    });
  });
  it('the discount goes with its right', () => {
    const base = draftOf(tree)(admin({ permission_ids: ['id-pos_admin_perms', 'id-pos_cart_discount'] }));
    expect(body({ ...base, permissions: ['pos_admin_perms'] }, base)).toEqual({
      permission_ids: ['id-pos_admin_perms'],
      max_discount_percent: null,
    });
  });
  it('a password is sent only when one is given here', () => {
    const fresh = freshDraft('r1', 'hu');
    expect('password' in body(fresh)).toBe(false);
    expect(
      body({ ...fresh, with_password: true, password: 'x'.repeat(10), password_again: 'x'.repeat(10) })
        .password,
    ).toBe('x'.repeat(10));
  });
  it('says what is missing', () => {
    const fresh = freshDraft('r1', 'hu');
    expect(faultsOf(undefined)(fresh)).toEqual({ email: 'form.required', last_name: 'form.required' });
    const full = { ...fresh, email: 'a@b.hu', last_name: 'A' };
    expect(faultsOf(undefined)(full)).toEqual({});
    expect(faultsOf({ ...full, last_name: '' })({ ...full, last_name: '', tel: '1' })).toEqual({});
    expect(faultsOf(full)({ ...full, last_name: '' })).toEqual({ last_name: 'form.required' });
    expect(faultsOf(undefined)({ ...full, email: 'a@b' }).email).toBe('form.email');
    expect(faultsOf(undefined)({ ...full, restaurant_ids: [] }).restaurant_ids).toBe(
      'users.restaurant_missing',
    );
    expect(faultsOf(undefined)({ ...full, max_discount_percent: '101' }).max_discount_percent).toBe(
      'users.discount_range',
    );
    expect(
      Object.keys(
        faultsOf(undefined)({ ...full, with_password: true, password: 'short', password_again: 'else' }),
      ),
    ).toEqual(['password', 'password_again']);
  });
});

it('a right whose screens are not there yet is marked, also where a picker asks for it', () => {
  const keys = treeOf([
    permission('statistics'),
    permission('stat_detailed_income', 'statistics'),
    permission('pos'),
    permission('pos_print', 'pos'),
    permission('pos_kitchen_queue', 'pos'),
    permission('pos_settings', 'pos'),
    permission('depot_inventory'),
    permission('ntak'),
    permission('order_accept'),
    permission('pos_cart_discount'),
  ]);
  const without = [...keys.byKey.values()].filter((node) => !hasEffect(node)).map(({ key }) => key);
  expect(without).toEqual([
    'statistics',
    'stat_detailed_income',
    'pos_print',
    'pos_kitchen_queue',
    'depot_inventory',
    'ntak',
  ]);
});
