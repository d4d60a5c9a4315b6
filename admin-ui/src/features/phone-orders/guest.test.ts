import { expect, it } from 'vitest';
import { isLonger } from './useGuest';

it.each([
  ['+36 30 123 4567', false],
  ['06 (30) 123-45-67', false],
  ['06 1 555 0178', false],
  ['06 30 123 45678', true],
])('%s goes on behind the numbers of the customer: %s', (typed, longer) => {
  expect(isLonger(typed, { phone_1: '+36301234567', phone_2: '+36 1 555 0178' })).toBe(longer);
  expect(isLonger(typed, { phone_1: null, phone_2: null })).toBe(false);
});
