import { describe, expect, it } from 'vitest';
import { countries, currencies, zones } from './choices';

describe('choices', () => {
  it('lists countries by name, without unknown codes', () => {
    const list = countries('hu');
    expect(list.find((c) => c.value === 'HU')?.label).toBe('Magyarország');
    expect(countries('en').find((c) => c.value === 'HU')?.label).toBe('Hungary');
    expect(list.length).toBeGreaterThan(190);
    for (const none of ['EU', 'SU', 'ZZ', 'DD'])
      expect(
        list.some((c) => c.value === none),
        none,
      ).toBe(false);
  });

  it('offers forints, and the currency that a row has already', () => {
    const offered = (has?: string | null) => currencies(String, has).map((one) => one.value);
    expect(offered()).toEqual(['huf']);
    expect(offered(null)).toEqual(['huf']);
    expect(offered('eur')).toEqual(['huf', 'eur']);
  });

  it('has zones with a region and a city', () => {
    expect(zones().some((z) => z.value === 'Europe/Budapest')).toBe(true);
    expect(zones().every((z) => z.value.includes('/'))).toBe(true);
  });
});
