import { describe, expect, it } from 'vitest';
import { resources } from '../generated/resources.gen';
import { featureBySlug, features, samePage, slugOf, translatePath } from './features';
import { slugify } from './slug';

describe('slugs', () => {
  it('come from the titles', () => {
    expect(slugify('Friss rendelések')).toBe('friss-rendelesek');
    expect(slugify('Őszi  üdítők (új)')).toBe('oszi-uditok-uj');
  });

  it('are unique over both languages, so that either opens its screen', () => {
    const taken = new Map<string, string>();
    for (const feature of features) {
      for (const slug of new Set([slugOf(feature, 'hu'), slugOf(feature, 'en')])) {
        expect(taken.get(slug), `${slug} of ${feature.key}`).toBeUndefined();
        taken.set(slug, feature.key);
        expect(featureBySlug(slug)?.key).toBe(feature.key);
      }
    }
  });

  it('follow the language and keep the rest of the address', () => {
    expect(translatePath('/r/1/futarok/uj', 'en')).toBe('/r/1/couriers/new');
    expect(translatePath('/r/1/couriers/abc', 'hu')).toBe('/r/1/futarok/abc');
    expect(translatePath('/r/1/nem-engedelyezett', 'en')).toBe('/r/1/no-access');
    expect(translatePath('/bejelentkezes', 'en')).toBe('/bejelentkezes');
    expect(translatePath('/platform/partnerek/uj', 'en')).toBe('/platform/partners/new');
    expect(samePage('/platform/partnerek', '/platform/partners')).toBe(true);
    expect(samePage('/r/1/futarok/abc', '/r/1/couriers/abc')).toBe(true);
    expect(samePage('/r/1/futarok/abc', '/r/2/couriers/abc')).toBe(false);
  });
});

it('every screen names what exists', () => {
  const keys = features.map((f) => f.key);
  expect(new Set(keys).size).toBe(keys.length);
  for (const feature of features) {
    expect(
      feature.group ?? feature.parent ?? (feature.scope === 'anywhere' ? 'the user menu' : undefined),
      `${feature.key} is reachable`,
    ).toBeTruthy();
    if (feature.parent) expect(keys).toContain(feature.parent);
    for (const resource of feature.resources ?? []) expect(Object.keys(resources)).toContain(resource);
  }
});
