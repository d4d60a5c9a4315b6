import { describe, expect, it } from 'vitest';
import { missingOf } from './lacks';

const item = (key: string, done: boolean, needed = true) => ({ key, done, needed });
const KEY = { revoked_at: null, scopes: ['menu:read', 'orders:write'] };

describe('ways to order at the end of the guide', () => {
  it('nothing is missing where all is there', () => {
    const found = missingOf([item('menu', true), item('legal_data', true), item('staff', false, false)], {
      keys: [KEY],
      kioskOn: true,
      kiosks: 1,
    });
    expect(found.phone).toEqual([]);
    expect(found.shop).toEqual([]);
    // What is not part of the product is said.
    expect(found.table).toEqual(['tables', 'phone_orders']);
    expect(found.kiosk).toEqual(['kiosk_app']);
  });

  it('a shop needs what guests must know, and a key that may order', () => {
    const items = [item('menu', false), item('opening_hours', false)];
    const found = (keys: Parameters<typeof missingOf>[1]['keys']) =>
      missingOf(items, { keys, kioskOn: false, kiosks: undefined });
    expect(found([]).shop).toEqual(['menu', 'opening_hours', 'api_key']);
    expect(found([{ ...KEY, revoked_at: '2026-01-01T00:00:00Z' }]).shop).toContain('api_key');
    expect(found([{ ...KEY, scopes: ['menu:read'] }]).shop).toContain('api_key');
    expect(found([KEY]).shop).toEqual(['menu', 'opening_hours']);
    // A person who may not see keys is told so.
    expect(found(null).shop).toEqual(['menu', 'opening_hours', 'api_key_unseen']);
    expect(found(undefined).shop).toEqual(['menu', 'opening_hours']);
    expect(found(undefined).phone).toEqual(['menu']);
    expect(found(undefined).kiosk).toEqual(['kiosk_off', 'menu', 'kiosk_app']);
  });
});
