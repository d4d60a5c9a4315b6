import { beforeEach, expect, it } from 'vitest';
import { FRESH } from './draft';
import { storedOrder } from './stored';

const mine = storedOrder('me', 'r');
const draft = { ...FRESH, phone: '06 1 555 0100' };
const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;
beforeEach(() => sessionStorage.clear());

it('keeps a draft of one person at one restaurant, with what was sent', () => {
  const sent = { body: '{}', key: 'k' };
  mine.write(draft, sent, NOW);
  expect(mine.read(NOW + HOUR)).toEqual({ draft, sent });
  expect(storedOrder('you', 'r').read(NOW)).toBeUndefined();
  expect(storedOrder('me', 'other').read(NOW)).toBeUndefined();
});

it('keeps nothing that is fresh, old or no draft', () => {
  mine.write(draft, undefined, NOW);
  expect(mine.read(NOW + 13 * HOUR)).toBeUndefined();
  mine.write(FRESH, undefined, NOW);
  expect(sessionStorage).toHaveLength(0);
  sessionStorage.setItem('pult.phone-order.me.r', '{');
  expect(mine.read(NOW)).toBeUndefined();
});

it('fills in what an earlier release did not keep', () => {
  sessionStorage.setItem('pult.phone-order.me.r', JSON.stringify({ at: NOW, draft: { phone: '1' } }));
  expect(mine.read(NOW)?.draft).toEqual({ ...FRESH, phone: '1' });
});
