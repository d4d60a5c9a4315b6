import { expect, it } from 'vitest';
import { labelMatches } from './labelSearch';

it('finds names by their words, as one types them on a tablet', () => {
  expect(labelMatches('gulyas', 'Gulyásleves')).toBe(true);
  expect(labelMatches('coca 0,5', 'Coca-Cola 0,5 l')).toBe(true);
  expect(labelMatches(' 0,5  COCA ', 'Coca-Cola 0,5 l')).toBe(true);
  expect(labelMatches('coca 1', 'Coca-Cola 0,5 l')).toBe(false);
  expect(labelMatches('', undefined)).toBe(true);
});
