import { readdirSync, readFileSync } from 'node:fs';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { isOf, readKey, type Read, useForget } from './query';

/** As Refine makes them. */
const ofRefine = (resource: string, action: string) => ['data', 'default', resource, action, {}];

describe('what is forgotten', () => {
  it.each<[Read, readonly unknown[], boolean]>([
    ['discounts', readKey('discountsList'), true],
    ['discounts', readKey('discountsGet', 'd'), true],
    ['discounts', readKey('discountSeriesList'), false],
    ['products', readKey('productCategoriesList'), false],
    ['drawer', readKey('drawerClosesList'), true],
    ['discount_series', readKey('discountSeriesList'), true],
    ['discounts', ofRefine('discounts', 'one'), true],
    ['discounts', ofRefine('discount_series', 'list'), false],
    ['discountsList', ofRefine('discounts', 'list'), true],
    ['discountsList', ofRefine('discounts', 'one'), false],
    ['teyaGet', readKey('teyaStores'), false],
    [readKey('productsList', 'soups'), readKey('productsList', 'soups', 'a'), true],
    [readKey('productsList', 'soups'), readKey('productsList', 'pizzas', 'a'), false],
    [readKey('ordersList', { q: 'a' }), readKey('ordersList', { q: 'a' }), true],
    [readKey('ordersList'), ofRefine('orders', 'list'), false],
  ])('of %j is %j: %s', (read, queryKey, is) => {
    expect(isOf(queryKey, [read])).toBe(is);
  });

  it('a first reading that is under way is not waited for: what is shown was asked for after the news', async () => {
    const client = new QueryClient();
    const wrapper = ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    );
    const answers: ((value: string) => void)[] = [];
    const queryFn = ({ signal }: { signal: AbortSignal }) =>
      new Promise<string>((resolve) => void (signal.aborted || answers.push(resolve)));
    const { result } = renderHook(
      () => ({ query: useQuery({ queryKey: readKey('ordersFresh'), queryFn }), forget: useForget() }),
      { wrapper },
    );
    const read = result.current.forget(['orders']);
    await expect.poll(() => answers.length).toBe(2);
    answers[0]!('before');
    answers[1]!('after');
    await read;
    await waitFor(() => expect(result.current.query.data).toBe('after'));
    const { forget } = result.current;
    await forget(['orders'], [readKey('ordersFresh')]);
    expect(answers).toHaveLength(2);
  });
});

it('keys are made and forgotten here alone', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/^generated|^lib\/query\.|\.test\.tsx$/.test(file),
  );
  const found = files.flatMap((file) =>
    (
      readFileSync(`src/${file}`, 'utf8').match(
        /\buseInvalidate\b|queryKey: \[|\binvalidateQueries\(\{ queryKey|as unknown as (Query)?Key\b/g,
      ) ?? []
    ).map((what) => `${file}: ${what}`),
  );
  expect(found).toEqual([]);
  expect(files.length).toBeGreaterThan(500);
});
