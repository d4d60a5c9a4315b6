import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Cart, Quote, QuotePromotion, Restaurant } from '../../generated/model';
import { ApiError } from '../../lib/http';
import { setTarget } from '../../lib/target';
import { changedRows, newPriceOf } from './PriceChanged';
import { toldOf, withChoice } from './promotions';
import { isUnknownCode, placeOf, reasonsAt } from './reasons';
import { useQuote } from './useQuote';

const price = vi.hoisted(() => vi.fn());
vi.mock('../../generated/client/public/public', async (original) => ({
  ...(await original<object>()),
  ordersQuote: price,
}));

const cartOf = (quantity: number): Cart => ({
  platform: 'phone',
  items: [{ subproduct_id: 's', quantity }],
});
const quoteOf = (total_price: number) => ({ total_price }) as Quote;
/** One client for all renderings of a hook. */
function surroundings() {
  const client = new QueryClient();
  return ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
}

beforeAll(() => setTarget({ id: 'r', partner_id: 'p' } as Restaurant));
afterAll(() => setTarget(undefined));
beforeEach(() => void price.mockReset());

describe('the running price', () => {
  it('is asked for when typing has paused; the last cart wins, and an old price is marked', async () => {
    const answers: ((quote: Quote) => void)[] = [];
    price.mockImplementation(() => new Promise((resolve) => answers.push(resolve)));
    const { result, rerender } = renderHook(({ cart }) => useQuote(cart), {
      initialProps: { cart: cartOf(1) as Cart | undefined },
      wrapper: surroundings(),
    });
    await waitFor(() => expect(answers).toHaveLength(1));
    expect(result.current).toMatchObject({ quote: undefined, stale: true });
    await act(async () => answers[0]!(quoteOf(100)));
    await waitFor(() => expect(result.current).toMatchObject({ quote: quoteOf(100), stale: false }));

    rerender({ cart: cartOf(2) });
    rerender({ cart: cartOf(3) });
    expect(result.current).toMatchObject({ quote: quoteOf(100), stale: true });
    await waitFor(() => expect(answers).toHaveLength(2));
    expect(price.mock.calls[1]![2]).toEqual(cartOf(3));
    rerender({ cart: cartOf(4) });
    await waitFor(() => expect(answers).toHaveLength(3));
    await act(async () => answers[2]!(quoteOf(400)));
    await act(async () => answers[1]!(quoteOf(300)));
    await waitFor(() => expect(result.current).toMatchObject({ quote: quoteOf(400), stale: false }));

    rerender({ cart: undefined });
    expect(result.current).toMatchObject({ quote: undefined, stale: false });
  });

  it('stays as it was, marked, when it cannot be had, and is asked for again', async () => {
    price.mockRejectedValueOnce(new ApiError({ status: 422, code: 'VALIDATION_FAILED' }));
    const { result } = renderHook(() => useQuote(cartOf(1)), {
      wrapper: surroundings(),
    });
    await waitFor(() => expect(result.current.error).toBeInstanceOf(ApiError));
    expect(result.current.stale).toBe(true);
    price.mockResolvedValueOnce(quoteOf(7));
    act(() => result.current.retry());
    await waitFor(() => expect(result.current).toMatchObject({ quote: quoteOf(7), stale: false }));
    act(() => result.current.adopt(quoteOf(9)));
    await waitFor(() => expect(result.current.quote).toEqual(quoteOf(9)));
  });
});

it('reasons are told where they belong', () => {
  const reasons = [
    { reason: 'item_sold_out', item_index: 1, detail: '3' },
    { reason: 'no_delivery_there' },
    { reason: 'coupon_not_applicable', detail: 'expired' },
    { reason: 'temp_no_orders' },
  ];
  expect(reasons.map(placeOf)).toEqual(['item', 'delivery', 'coupon', 'order']);
  expect(reasonsAt(reasons, 'item', 1)).toHaveLength(1);
  expect(reasonsAt(reasons, 'item', 0)).toHaveLength(0);
  expect(isUnknownCode(reasons)).toBe(false);
  expect(isUnknownCode([{ reason: 'coupon_not_applicable' }])).toBe(true);
});

it('promotions that apply come first, and of the others those within reach', () => {
  const one = (name: string, reason?: string, discount_type = 'discount') =>
    ({ name, reason, discount_type }) as QuotePromotion;
  const quote = {
    promotions: [
      one('a', 'range_not_reached'),
      one('b'),
      one('c', 'code_not_given', 'coupon'),
      one('d', 'expired', 'coupon'),
    ],
  };
  expect(toldOf(quote, false).map(({ name }) => name)).toEqual(['b', 'a']);
  expect(toldOf(quote, true).map(({ name }) => name)).toEqual(['b', 'a', 'd']);
});

it('the choice of a gift is the last one that was said', () => {
  const gift = { promotion_id: 'p', subproduct_id: 's' };
  const choices = withChoice([{ ...gift, accepted: true }], { ...gift, accepted: false });
  expect(choices).toEqual([{ ...gift, accepted: false }]);
  expect(withChoice(choices, { ...gift, subproduct_id: 't', accepted: true })).toHaveLength(2);
});

it('a changed price is told line by line, with what is equal left out', () => {
  const quote = (paid_price: number, fee: number) =>
    ({
      items: [
        { name: 'Soup', quantity: 2, paid_price },
        { name: 'Tea', quantity: 1, paid_price: 500 },
      ],
      promotions: [],
      lines: [
        { step: 'item', amount: 0 },
        { step: 'delivery_fee', amount: fee },
      ],
    }) as unknown as Quote;
  const rows = changedRows({ before: quote(3000, 700), now: quote(3400, 700) }, (step) => step);
  expect(rows).toMatchObject([{ name: '2 × Soup', before: 3000, now: 3400 }]);
  expect(changedRows({ before: undefined, now: quote(3000, 700) }, (step) => step)).toHaveLength(3);
  const refused = new ApiError({ status: 409, code: 'ORDER_PRICE_CHANGED', quote: quote(1, 1) });
  expect(newPriceOf(refused)).toEqual(quote(1, 1));
  expect(newPriceOf(new Error('no'))).toBeUndefined();
});
