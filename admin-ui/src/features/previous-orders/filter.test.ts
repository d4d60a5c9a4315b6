import { beforeEach, describe, expect, it } from 'vitest';
import {
  bodyOf,
  cleaned,
  type Filter,
  filterAt,
  filterOf,
  isFiltered,
  NO_FILTER,
  queryOf,
  searchOf,
  setNames,
} from './filter';
import { storedFilter } from './stored';
import { filterOfPage } from './useFilter';

const CASH = '00000000-0000-7000-8000-000000000401';
const CARD = '00000000-0000-7000-8000-000000000402';
const ALL: Filter = {
  q: 'Réka',
  id: '01a21876-f851-73b2-8f4b-18708b07e278',
  counter: 'A12',
  name: 'Kovács',
  phone_1: '4567',
  city: 'Pécs',
  street: 'Király u.',
  premise_number: '4/b',
  from: '2026-05-30',
  till: '2026-05-31T20:15:00Z',
  date_filter_by: 'show_at',
  payment_methods: [CASH, CARD],
  platforms: ['phone', 'browser'],
  storno: 'except',
  has_discount: 'true',
};

describe('what is sent', () => {
  it('is empty where nothing is chosen', () => {
    expect(bodyOf(NO_FILTER)).toEqual({});
    expect(queryOf(NO_FILTER)).toEqual({ 'payment_methods[]': [], 'platforms[]': [] });
    expect(isFiltered(NO_FILTER)).toBe(false);
  });

  it('is all that is chosen, the last minute whole', () => {
    expect(bodyOf(ALL)).toEqual({ ...ALL, till: '2026-05-31T20:15:59Z' });
    const { payment_methods, platforms, ...rest } = bodyOf(ALL);
    expect(queryOf(ALL)).toEqual({
      ...rest,
      'payment_methods[]': payment_methods,
      'platforms[]': platforms,
    });
  });

  it('has partial stornos as a flag of their own', () => {
    expect(bodyOf({ ...NO_FILTER, storno: 'partial' })).toEqual({ partial_storno: true });
    expect(bodyOf({ ...NO_FILTER, storno: 'only' })).toEqual({ storno: 'only' });
    expect(filterOf({ storno: 'partial_storno' }).storno).toBe('partial');
  });

  it('does not say which date counts where there is none', () => {
    const filter: Filter = { ...NO_FILTER, date_filter_by: 'show_at' };
    expect(bodyOf(filter)).toEqual({});
    expect(setNames(filter)).toEqual([]);
  });

  it('comes back from a filter that was saved', () => {
    for (const filter of [ALL, NO_FILTER, { ...ALL, storno: 'partial' as const }])
      expect(filterOf(bodyOf(filter))).toEqual(filter);
    expect(filterOf({ name: null, storno: null, payment_methods: null })).toEqual(NO_FILTER);
  });
});

describe('the address', () => {
  it('brings back all that is not personal, and nothing that is stands in it', () => {
    const search = searchOf(ALL, '?look=x');
    const { q, name, phone_1, city, street, premise_number } = NO_FILTER;
    expect(filterAt(search)).toEqual({ ...ALL, q, name, phone_1, city, street, premise_number });
    expect(search).toContain('look=x');
    for (const word of ['Réka', 'Kov', '4567', 'cs', 'Kir'])
      expect(decodeURIComponent(search).replaceAll(CASH, '')).not.toContain(word);
  });

  it('is left as it was found where nothing is chosen', () => {
    expect(searchOf(NO_FILTER)).toBe('');
    expect(searchOf(NO_FILTER, searchOf(ALL))).toBe('');
  });

  it('says nothing that could not have been chosen', () => {
    expect(filterAt('?from=zz&till=2026-02-30&storno=never&platforms=A B&payment_methods=1&id=7')).toEqual(
      NO_FILTER,
    );
    expect(cleaned({ platforms: 'phone', name: 3, counter: ` ${'1'.repeat(30)}` })).toEqual({
      ...NO_FILTER,
      counter: '1'.repeat(20),
    });
  });
});

describe('the filter of a page', () => {
  beforeEach(() => localStorage.clear());
  const search = searchOf(ALL);

  it('is the last one of this person at this restaurant, until it is reset', () => {
    const stored = storedFilter('p', 'r');
    stored.write(ALL);
    expect(filterOfPage('', null, stored.read())).toEqual(ALL);
    expect(filterOfPage('', null, storedFilter('p', 'r2').read())).toEqual(NO_FILTER);
    expect(filterOfPage('', null, storedFilter('p2', 'r').read())).toEqual(NO_FILTER);
    expect(Object.keys(localStorage)).toEqual(['pult.user.p.previous-orders.r']);
    stored.write(NO_FILTER);
    expect(localStorage).toHaveLength(0);
    expect(filterOfPage('', null, stored.read())).toEqual(NO_FILTER);
  });

  it('is that of the address, with what is personal where it is the same one', () => {
    const link = '?storno=only';
    expect(filterOfPage(link, null, ALL)).toEqual({ ...NO_FILTER, storno: 'only' });
    expect(filterOfPage(search, null, ALL)).toEqual(ALL);
    expect(filterOfPage('?from=zz', null, ALL)).toEqual(NO_FILTER);
  });

  it('is that of the step one goes back to', () => {
    const { q, name, phone_1, city, street, premise_number } = ALL;
    const state = { previousOrders: { q, name: 'Nagy', phone_1, city, street, premise_number } };
    expect(filterOfPage(search, state, ALL)).toEqual({ ...ALL, name: 'Nagy' });
    expect(filterOfPage('', { previousOrders: { ...NO_FILTER } }, ALL).name).not.toBe(name);
  });

  it('survives what somebody else wrote there', () => {
    const stored = storedFilter('p', 'r');
    localStorage.setItem('pult.user.p.previous-orders.r', '{');
    expect(stored.read()).toBeUndefined();
    localStorage.setItem('pult.user.p.previous-orders.r', '{"storno":"never","city":"Pécs"}');
    expect(stored.read()).toEqual({ ...NO_FILTER, city: 'Pécs' });
  });
});
