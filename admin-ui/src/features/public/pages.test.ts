import { expect, it } from 'vitest';
import { languageAt } from './pages';

it('a mail’s link carries the language of its reader', () => {
  expect(languageAt('/invitation')).toBe('en');
  expect(languageAt('/new-password/')).toBe('en');
  expect(languageAt('/meghivas')).toBe('hu');
});

it('an address that is the same in both languages says nothing', () => {
  expect(languageAt('/sso')).toBeUndefined();
  expect(languageAt('/r/x')).toBeUndefined();
});
