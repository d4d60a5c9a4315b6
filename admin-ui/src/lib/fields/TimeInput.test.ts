import { expect, it } from 'vitest';
import { parseTime } from './TimeInput';

it.each([
  ['9', '09:00'],
  ['930', '09:30'],
  ['9.30', '09:30'],
  ['23:59', '23:59'],
  [' 08 15 ', '08:15'],
  ['24:00', undefined],
  ['12:60', undefined],
  ['abc', undefined],
  ['', undefined],
])('%s -> %s', (text, time) => expect(parseTime(text)).toBe(time));
