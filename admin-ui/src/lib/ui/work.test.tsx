import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useInlineWork } from './work';

it('work that fails and is begun again has the same key, after success another', async () => {
  const { result } = renderHook(() => useInlineWork());
  const keys: string[] = [];
  const order = (fails: boolean) =>
    act(() =>
      result.current.work(async (keyFor) => {
        keys.push(keyFor({ product: 'soup' }));
        if (fails) throw new Error('no answer');
      }),
    );
  expect(await order(true)).toBe(false);
  expect(await order(false)).toBe(true);
  expect(await order(false)).toBe(true);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});
