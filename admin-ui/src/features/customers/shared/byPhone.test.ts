import { expect, it } from 'vitest';
import { isWholeNumber } from './byPhone';

it.each([
  ['+36 1 555 0100', true],
  ['06 (1) 555-0100', true],
  ['5550100', false],
  ['+3615550', false],
  ['', false],
  ['Kovács 06301234567', false],
])('%s is a number to search by: %s', (typed, whole) => {
  expect(isWholeNumber(typed)).toBe(whole);
});
