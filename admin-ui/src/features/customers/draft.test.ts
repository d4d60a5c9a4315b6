import { describe, expect, it } from 'vitest';
import { customerBody, customerDraft, customerFaults, customerPath, newCustomer } from './draft';
import { olderOf } from './merge';

const ROW = {
  first_name: 'Anna',
  last_name: 'Kovács',
  phone_1: '+3615550100',
  phone_2: null,
  email: null,
  note: 'Az ablaknál',
  comment: null,
  external_ids: [
    { platform: 'A', id: '1' },
    { platform: 'B', id: '2' },
  ],
};
const draft = customerDraft(ROW);

describe('the body', () => {
  it('of a change has what differs, and empties by null', () => {
    expect(customerBody(draft, draft)).toEqual({});
    expect(customerBody({ ...draft, note: ' ', phone_2: ' 06 1 555 0101 ' }, draft)).toEqual({
      note: null,
      phone_2: '06 1 555 0101',
    });
  });

  it('has all ids of other platforms when one of them differs, without the keys of the draft', () => {
    const [first] = draft.external_ids;
    expect(customerBody({ ...draft, external_ids: [first!] }, draft)).toEqual({
      external_ids: [{ platform: 'A', id: '1' }],
    });
    // The keys alone are no change.
    const renamed = draft.external_ids.map((one) => ({ ...one, key: `x${one.key}` }));
    expect(customerBody({ ...draft, external_ids: renamed }, draft)).toEqual({});
  });

  it('of a new one has what was filled in', () => {
    expect(customerBody({ ...newCustomer(), first_name: ' Anna ', last_name: 'Kovács' })).toEqual({
      first_name: 'Anna',
      last_name: 'Kovács',
    });
  });
});

it.each([
  [{}, []],
  [{ first_name: ' ', last_name: '' }, ['last_name', 'first_name']],
  [{ email: 'nem cím' }, ['email']],
  [{ email: 'a@example.invalid' }, []],
  [{ phone_1: 'hívj fel' }, ['phone_1']],
  [{ phone_1: '+36 30', phone_2: '06 1 555 0100 mellék 2' }, []],
  [{ phone_2: '06 (1) 555-0100' }, []],
  [{ external_ids: [{ key: 'k', platform: '', id: ' ' }] }, ['external_ids.k.platform', 'external_ids.k.id']],
])('%o is at fault at %o', (change, paths) => {
  expect(Object.keys(customerFaults({ ...draft, ...change }))).toEqual(paths);
});

it.each([
  ['phone_1', 'phone_1'],
  ['external_ids.1.id', 'external_ids.1.id'],
  ['external_ids.9.id', 'external_ids'],
  ['external_ids', 'external_ids'],
  ['addresses.0.city', undefined],
  ['toString', undefined],
])('the service’s %s stands at %s', (key, path) => {
  expect(customerPath(key, draft)).toBe(path);
});

it('rows of refused ids are found by their keys, wherever they stand now', () => {
  const moved = { ...draft, external_ids: draft.external_ids.toReversed() };
  expect(customerPath('external_ids.0.platform', moved)).toBe('external_ids.1.platform');
});

it('the older of two stays, whoever was chosen first', () => {
  const old = { id: '2', name: 'A', created_at: '2026-01-01T00:00:00Z' };
  for (const young of [
    { id: '1', name: 'B', created_at: '2026-01-01T00:00:01Z' },
    { id: '3', name: 'B', created_at: '2026-01-01T00:00:00Z' },
  ]) {
    expect(olderOf(old, young)).toEqual([old, young]);
    expect(olderOf(young, old)).toEqual([old, young]);
  }
});
