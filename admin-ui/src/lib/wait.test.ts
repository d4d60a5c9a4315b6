import { expect, it } from 'vitest';
import { waitUnit } from './wait';

it.each([
  [1, 'seconds', 1],
  [90, 'seconds', 90],
  [91, 'minutes', 2],
  [120, 'minutes', 2],
  [121, 'minutes', 3],
  [900, 'minutes', 15],
])('%s seconds are told as %s %s', (seconds, unit, n) => {
  expect(waitUnit(seconds)).toEqual({ unit, n });
});
