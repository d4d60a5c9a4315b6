import { expect, it } from 'vitest';
import type { QuotePromotion, ShadowCustomerShort } from '../../generated/model';
import { newDiscount } from './draft';
import { circumstances, inOrder, trialBody } from './trial';

const ASKED = { pickup: false, at: null };
const anna = { id: 'c1', name: 'Kovács Anna' } as ShadowCustomerShort;
const draft = { ...newDiscount('r1'), name: 'Ebéd', locked_customers: true, named: [anna] };
const body = (customer?: ShadowCustomerShort) =>
  trialBody({ draft, row: null, asked: ASKED, items: [], customer }).draft;

it('is ordered where the promotion holds and with its code, unless said otherwise', () => {
  const coupon = { ...draft, platforms: ['ios' as const, 'android' as const], code: 'TORZS' };
  expect(circumstances(ASKED, coupon)).toMatchObject({ platform: 'android', code: 'TORZS' });
  expect(circumstances({ ...ASKED, platform: 'sit_in', pickup: true, code: '' }, coupon)).toEqual({
    platform: 'sit_in',
    mayFetch: false,
    pickup: false,
    code: '',
  });
});

it('holds for a customer who goes on the list when it is saved, and for no other', () => {
  expect(body(anna)).toMatchObject({ locked_customers: false });
  expect(body({ ...anna, id: 'c2' })).toMatchObject({ locked_customers: true });
  expect(body()).toMatchObject({ locked_customers: true });
});

it('shows the tried one first, then what applies', () => {
  const of = (name: string, reason: string | null) => ({ name, reason }) as QuotePromotion;
  const sorted = inOrder([of('zárt', 'platform'), of('jár', null), of('saját', 'customer')], 'saját');
  expect(sorted.map(({ name }) => name)).toEqual(['saját', 'jár', 'zárt']);
});
