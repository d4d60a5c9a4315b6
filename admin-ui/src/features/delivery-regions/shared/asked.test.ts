import { describe, expect, it } from 'vitest';
import { askAt, NOTHING, queryOf } from './asked';

describe('what is asked about', () => {
  it('an address needs one of its parts, and sends those that are given', () => {
    expect(queryOf(NOTHING)).toBeUndefined();
    expect(queryOf({ ...NOTHING, postcode: ' 2040 ', street: ' ' })).toEqual({ postcode: '2040' });
  });

  it('a point needs both numbers, and lies on the earth', () => {
    expect(queryOf({ ...NOTHING, by: 'point', lat: '47,5' })).toBeUndefined();
    expect(queryOf({ ...NOTHING, by: 'point', lat: '97,5', lng: '19' })).toBeUndefined();
    expect(queryOf(askAt(NOTHING, { lat: 47.5, lng: 19.05 }))).toEqual({ lat: 47.5, lng: 19.05 });
  });
});
