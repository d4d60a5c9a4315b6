import { describe, expect, it } from 'vitest';
import { sampleOrder } from '../order/sample.test-data';
import { filterAt, filters, NO_FILTER, passes, searchOf } from './filter';

const PLATFORMS = ['browser', 'phone', 'sit_in'];

describe('the filter of the board', () => {
  it('stands in the address, and what nobody knows is left out', () => {
    const filter = filterAt(
      '?channel=phone&channel=moon&way=here&way=x&payment=unpaid&q=%20Nagy%20',
      PLATFORMS,
    );
    expect(filter).toEqual({ channels: ['phone'], ways: ['here'], payment: 'unpaid', text: 'Nagy' });
    expect(searchOf(filter, '?other=1&q=old')).toBe('other=1&channel=phone&way=here&payment=unpaid&q=Nagy');
    expect(filterAt(`?${searchOf(filter, '')}`, PLATFORMS)).toEqual(filter);
    expect(filters(filter)).toBe(true);
    expect(filters(filterAt('?channel=moon&q=%20', PLATFORMS))).toBe(false);
    expect(searchOf(NO_FILTER, '?other=1&way=here')).toBe('other=1');
  });

  it('lets orders pass by channel, way and payment', () => {
    const order = sampleOrder({ platform: 'browser', pickup: true, due: 0 });
    const part = (change: object) => passes(order, { ...NO_FILTER, ...change });
    expect(part({})).toBe(true);
    expect([part({ channels: ['browser', 'phone'] }), part({ channels: ['phone'] })]).toEqual([true, false]);
    expect([part({ ways: ['pickup'] }), part({ ways: ['delivery', 'here'] })]).toEqual([true, false]);
    expect([part({ payment: 'paid' }), part({ payment: 'unpaid' })]).toEqual([true, false]);
  });

  it('finds a text in what the card says, without accents, and a phone by its digits', () => {
    const order = sampleOrder({
      counter: 'B12',
      first_name: 'Réka',
      last_name: 'Kovács',
      phone_1: '+36 30 123 4567',
      message: 'Kérlek, ne csengess!',
    });
    const found = (text: string) => passes(order, { ...NO_FILTER, text });
    for (const text of ['b12', 'kovacs', 'Réka Kovács', 'csengess', '123 45', '1234567'])
      expect(found(text), text).toBe(true);
    for (const text of ['b13', 'kovács béla', '99', '765']) expect(found(text), text).toBe(false);
  });
});
