import { expect, test } from 'vitest';
import { nameOf } from './send';

const file = (name: string) => new File([], name);
const now = new Date('2026-05-01T10:20:30Z');

test('a picture is called as its file, and a pasted one by the moment', () => {
  expect(nameOf(file('gulyás_leves.final.jpg'), now, 'Europe/Budapest')).toBe('gulyás leves.final');
  expect(nameOf(file('x'.repeat(300) + '.png'), now, 'Europe/Budapest')).toHaveLength(200);
  expect(nameOf(file('image.png'), now, 'Europe/Budapest')).toBe('2026/05/01 12:20');
  expect(nameOf(file('.png'), now, 'Europe/Budapest')).toBe('2026/05/01 12:20');
});
