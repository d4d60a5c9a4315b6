import { describe, expect, it } from 'vitest';
import {
  addressOf,
  chosenFilters,
  filterFaults,
  filtersOf,
  type FilterValues,
  NO_FILTERS,
  queryOf,
} from './filters';

const values = (rest: Partial<FilterValues>): FilterValues => ({ ...NO_FILTERS, ...rest });

describe('filters of an address', () => {
  it('are taken as they stand there, and stand there again', () => {
    const address = {
      order_count_from: ['3'],
      order_sum_till: ['12500.5'],
      last_order_from: ['2026-07-01'],
      balance: ['negative'],
    };
    const read = filtersOf(address);
    expect(read).toEqual(
      values({
        order_count_from: '3',
        order_sum_till: '12500.5',
        last_order_from: '2026-07-01',
        balance: 'negative',
      }),
    );
    const again = addressOf(read);
    expect(Object.fromEntries(Object.entries(again).filter(([, value]) => value))).toEqual(address);
    expect(chosenFilters(read)).toEqual(['order_count_from', 'order_sum_till', 'last_order_from', 'balance']);
  });

  it.each([
    ['order_count_from', '-1'],
    ['order_count_from', '1.5'],
    ['order_count_till', '1e9'],
    ['order_count_till', '9999999999'],
    ['order_sum_from', '1,5'],
    ['order_sum_from', '0.001'],
    ['order_sum_till', 'NaN'],
    ['last_order_from', '2026-02-30'],
    ['last_order_from', '2026-13-01'],
    ['last_order_till', '2026-7-1'],
    ['last_order_till', 'ma'],
    ['balance', 'all'],
    ['balance', 'negative,positive'],
  ])('nobody can have chosen %s=%s', (name, text) => {
    expect(filtersOf({ [name]: [text] })).toEqual(NO_FILTERS);
  });

  it('do not know those of others', () => {
    expect(filtersOf({ q: ['Kovács'], name: ['Kovács'], page: ['2'] })).toEqual(NO_FILTERS);
  });
});

describe('a range', () => {
  it.each([
    [{ order_count_from: '10', order_count_till: '9' }, ['order_count_till']],
    [{ order_count_from: '9', order_count_till: '10' }, []],
    [{ order_count_from: '9', order_count_till: '9' }, []],
    [{ order_count_from: '9' }, []],
    [{ order_sum_from: '1000', order_sum_till: '200.5' }, ['order_sum_till']],
    [{ last_order_from: '2026-07-02', last_order_till: '2026-07-01' }, ['last_order_till']],
    [{ last_order_from: '2025-12-31', last_order_till: '2026-01-01' }, []],
    [
      {
        order_count_from: '2',
        order_count_till: '1',
        last_order_from: '2026-02-01',
        last_order_till: '2026-01-31',
      },
      ['order_count_till', 'last_order_till'],
    ],
  ])('%o is turned at %o', (chosen, faults) => {
    expect(Object.keys(filterFaults(values(chosen)))).toEqual(faults);
  });
});

describe('what the service is asked', () => {
  const plain = { search: '', page: 1, sort: undefined, filters: {} };

  it('has nothing that was not chosen', () => {
    expect(queryOf(plain)).toEqual({ limit: 40, page: 0, count: true });
  });

  it('has search, page, order and filters by the names of its parameters', () => {
    expect(
      queryOf({
        search: 'Kovács 0100',
        page: 3,
        sort: { field: 'last_order_at', order: 'desc' },
        filters: { order_sum_from: ['1000'], balance: ['equal'], order_count_from: ['x'] },
      }),
    ).toEqual({
      limit: 40,
      page: 2,
      count: true,
      name: 'Kovács 0100',
      sort: 'last_order_at_desc',
      order_sum_from: '1000',
      balance: 'equal',
    });
  });

  it('leaves out an order that there is none of', () => {
    expect(queryOf({ ...plain, sort: { field: 'email', order: 'asc' } })).not.toHaveProperty('sort');
    expect(queryOf({ ...plain, sort: { field: 'name', order: 'asc' } })).toHaveProperty('sort', 'name');
  });
});
