import { expect, it } from 'vitest';
import { isSaid } from './bySaid';

it('finds names by their words, as one types them on a tablet', () => {
  expect(isSaid('gulyas', 'Gulyásleves')).toBe(true);
  expect(isSaid('coca 0,5', 'Coca-Cola 0,5 l')).toBe(true);
  expect(isSaid(' 0,5  COCA ', 'Coca-Cola 0,5 l')).toBe(true);
  expect(isSaid('coca 1', 'Coca-Cola 0,5 l')).toBe(false);
  expect(isSaid('', undefined)).toBe(true);
});
