import { expect, it } from 'vitest';
import { doubtOf } from './doubt';

it.each([
  ['', undefined],
  ['abc', 'letters'],
  ['+36 30 555 01o1', 'letters'],
  ['12', 'short'],
  ['1234567', 'short'],
  ['+36 30 123 456', 'mobile'],
  ['06/30-123-45678', 'mobile'],
  ['06 (30) 123-4567', undefined],
  ['0036 70 123 4567', undefined],
  ['+36 1 234 5678', undefined],
  ['06 1 234 567', 'landline'],
  ['06 34 567 890', undefined],
  ['+43 1 234 567', undefined],
])('%s: %s', (typed, doubt) => expect(doubtOf(typed)).toBe(doubt));
