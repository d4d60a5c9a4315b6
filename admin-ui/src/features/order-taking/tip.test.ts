import { expect, it } from 'vitest';
import { type Tip, tipAmount } from './tip';

const huf = { products_price: 4995, currency: 'huf' } as const;
const eur = { products_price: 12.35, currency: 'eur' } as const;

it.each<[Tip, number | null, typeof huf | typeof eur | undefined, number | undefined]>([
  [{ by: 'default' }, 10, huf, 500],
  [{ by: 'default' }, 10, eur, 1.24],
  [{ by: 'default' }, null, huf, undefined],
  [{ by: 'default' }, 10, undefined, undefined],
  [{ by: 'none' }, 10, huf, undefined],
  [{ by: 'amount', amount: '300' }, 10, undefined, 300],
  [{ by: 'amount', amount: '' }, 10, huf, undefined],
])('%j of %s is %s', (tip, percent, quote, amount) => {
  expect(tipAmount(tip, percent, quote)).toBe(amount);
});
