import { describe, expect, it } from 'vitest';
import { changesOf, dayOf, listChange, splitAction } from './model';

it('a day of the address that is none counts as none', () => {
  expect([dayOf('2026-11-20'), dayOf('zz'), dayOf('2026-13-01'), dayOf(''), dayOf(undefined)]).toEqual([
    '2026-11-20',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

describe('a line of the log', () => {
  it('names the resource and what was done to it', () => {
    expect(splitAction('couriers_update')).toEqual({ resource: 'couriers', verb: 'update' });
    expect(splitAction('product_categories_rank')).toEqual({ resource: 'product_categories', verb: 'rank' });
    expect(splitAction('admins_sign_out')).toEqual({ resource: 'admins', verb: 'sign_out' });
    expect(splitAction('support_begin')).toEqual({ resource: '', verb: 'support_begin' });
  });

  it('shows old and new value of a field', () => {
    expect(changesOf('couriers_update', { name: ['A', 'B'], active: [true, null] })).toEqual([
      { field: 'name', before: 'A', after: 'B' },
      { field: 'active', before: true, after: null },
    ]);
    expect(changesOf('orders_accept', { delivery_time_minute: 30 })).toEqual([
      { field: 'delivery_time_minute', value: 30 },
    ]);
  });

  it('shows added and removed values without an empty side', () => {
    expect(changesOf('couriers_create', { id: [null, 'x'], name: [null, 'A'], note: [null, ''] })).toEqual([
      { field: 'name', value: 'A' },
    ]);
    expect(changesOf('couriers_delete', { name: ['A', null] })).toEqual([{ field: 'name', value: 'A' }]);
    expect(changesOf('couriers_update', { note: [null, 'A'] })).toEqual([
      { field: 'note', before: null, after: 'A' },
    ]);
  });

  it('shows the name of the record first, and no empty fields', () => {
    expect(
      changesOf('products_create', { active: true, archived_at: null, name: 'Gulyás', tags: [] }),
    ).toEqual([
      { field: 'name', value: 'Gulyás' },
      { field: 'active', value: true },
      { field: 'tags', value: [] },
    ]);
  });

  it('does not take an order of two rows for a change, nor emptied details for anything', () => {
    expect(changesOf('options_rank', { option_ids: ['a', 'b'] })).toEqual([
      { field: 'option_ids', value: ['a', 'b'] },
    ]);
    expect(changesOf('couriers_update', {})).toEqual([]);
    expect(changesOf('couriers_update', null)).toEqual([]);
  });

  it('shows removed and added values of a list', () => {
    expect(listChange(['a', 'b'], ['b', 'c'])).toEqual({ gone: ['a'], come: ['c'] });
    expect(listChange(['a', 'b'], ['b', 'a'])).toBeUndefined();
    expect(listChange(null, ['a'])).toBeUndefined();
    expect(listChange([{ day: 'mon' }], [])).toBeUndefined();
  });
});
