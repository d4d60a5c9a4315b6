import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Me, Restaurant } from '../../generated/model';
import { session } from '../session';
import { setTarget } from '../target';
import { accessControlProvider } from './access';
import { authProvider } from './auth';
import { dataProvider, itemPath, listQuery } from './data';

const restaurant = { id: 'r1', partner_id: 'p 1', restaurant_group_id: 'g1' } as Restaurant;
const grants = (part: Partial<Me['targets'][number]>, me: Partial<Me> = {}) =>
  ({
    id: 'u',
    email: 'a@b.hu',
    name: 'A',
    language: 'hu',
    super_admin: false,
    targets: [
      {
        target_type: 'Restaurant',
        partner_id: 'p 1',
        partner_name: 'P',
        partner_mode: 'live',
        restaurant_ids: ['r1'],
        permissions: [],
        full_target_access: false,
        ...part,
      },
    ],
    ...me,
  }) as Me;

const stub = (body: unknown, headers: Record<string, string> = {}) => {
  const fetch = vi.fn(
    async (_url: string, _init: RequestInit) => new Response(JSON.stringify(body), { status: 200, headers }),
  );
  vi.stubGlobal('fetch', fetch);
  return fetch;
};

beforeEach(() => {
  setTarget(restaurant);
  session.set(grants({ permissions: ['courier'] }));
});

describe('data provider', () => {
  it('fills the path from the target and counts pages from 0', async () => {
    const fetch = stub([{ id: 'c1' }], { 'X-Total-Count': '81' });
    const answer = await dataProvider.getList({
      resource: 'couriers',
      pagination: { currentPage: 3, pageSize: 40 },
      filters: [{ field: 'name', operator: 'contains', value: 'ő' }],
    });
    expect(fetch.mock.calls[0]![0]).toBe(
      '/api/v3/admin/partners/p%201/restaurants/r1/couriers?name=%C5%91&limit=40&page=2&count=true',
    );
    expect(answer).toEqual({ data: [{ id: 'c1' }], total: 81 });
  });

  it('reads short resources whole', async () => {
    const fetch = stub([{ id: 'c1' }, { id: 'c2' }]);
    const answer = await dataProvider.getList({ resource: 'couriers', pagination: { mode: 'off' } });
    expect(fetch.mock.calls[0]![0]).toMatch(/couriers\?count=true$/);
    expect(answer.total).toBe(2);
  });

  it('tells when more is there than one answer holds', async () => {
    stub([{ id: 'c1' }, { id: 'c2' }], { 'X-Total-Count': '3' });
    expect((await dataProvider.getList({ resource: 'couriers', pagination: { mode: 'off' } })).total).toBe(3);
  });

  it('sends several values as key[]', () => {
    expect(listQuery([{ field: 'status', operator: 'in', value: ['a', 'b'] }], ['status[]']).toString()).toBe(
      'status%5B%5D=a&status%5B%5D=b',
    );
    expect(listQuery([{ field: 'name', operator: 'eq', value: '' }], ['name']).toString()).toBe('');
  });

  it('escapes ids and sends the idempotency key', async () => {
    expect(itemPath('couriers', '../x')).toMatch(/couriers\/\.\.%2Fx$/);
    const fetch = stub({ id: 'c1' });
    await dataProvider.create({ resource: 'couriers', variables: { last_name: 'A' }, meta: { key: 'k1' } });
    expect(new Headers(fetch.mock.calls[0]![1].headers).get('Idempotency-Key')).toBe('k1');
  });
});

describe('access', () => {
  const can = async (resource: string, action: string, params?: object) =>
    (await accessControlProvider.can({ resource, action, ...(params ? { params } : {}) })).can;

  it('looks the operation up and asks the grants of this place', async () => {
    expect(await can('couriers', 'create')).toBe(true);
    expect(await can('couriers', 'edit')).toBe(true);
    expect(await can('api_keys', 'list')).toBe(false);
    expect(await can('couriers', 'no_such_action')).toBe(false);
    expect(await can('couriers', 'list', { permission: ['system_general'] })).toBe(false);
  });

  it('does not carry a right to another restaurant or partner', async () => {
    session.set(grants({ permissions: ['courier'], restaurant_ids: ['r2'] }));
    expect(await can('couriers', 'list')).toBe(false);
    session.set(grants({ permissions: ['courier'], partner_id: 'p2', restaurant_ids: null }));
    expect(await can('couriers', 'list')).toBe(false);
    session.set(grants({ permissions: ['courier'], restaurant_ids: null }));
    expect(await can('couriers', 'list')).toBe(true);
  });

  it('lets super admins do all', async () => {
    session.set(grants({}, { super_admin: true, targets: [] }));
    expect(await can('api_keys', 'delete')).toBe(true);
  });
});

describe('auth', () => {
  it('returns a failure instead of throwing it', async () => {
    vi.stubGlobal(
      'fetch',
      async () =>
        new Response(JSON.stringify({ code: 'USER_WRONG_EMAIL_OR_PW', status: 401 }), { status: 401 }),
    );
    const answer = await authProvider.login({ email: 'a@b.hu', password: 'x' });
    expect(answer.success).toBe(false);
  });

  it('forgets what a person kept on the device when signing out', async () => {
    localStorage.setItem('pult.user.filters', '1');
    localStorage.setItem('pult.look', '{}');
    vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }));
    await authProvider.logout({});
    expect(localStorage.getItem('pult.user.filters')).toBeNull();
    expect(localStorage.getItem('pult.look')).toBe('{}');
    expect((await authProvider.check()).authenticated).toBe(false);
  });
});
