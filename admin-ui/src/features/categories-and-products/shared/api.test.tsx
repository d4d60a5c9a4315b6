import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { keys, useRefreshCatalogue } from './api';

it('a saved row stands in its list at once, which is read again all the same', async () => {
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(() => useRefreshCatalogue(), { wrapper });
  const list = keys.groups();
  client.setQueryData(list, [{ id: 'a', name: 'one' }]);
  const read = result.current({ into: list, row: { id: 'b' } });
  expect(client.getQueryData(list)).toEqual([{ id: 'a', name: 'one' }, { id: 'b' }]);
  await read;
  expect(client.getQueryState(list)?.isInvalidated).toBe(true);
  void result.current({ into: list, row: { id: 'a' } });
  expect(client.getQueryData(list)).toEqual([{ id: 'a' }, { id: 'b' }]);
  // A list that nobody has read is not made up of one row.
  void result.current({ into: keys.groups('x'), row: { id: 'a' } });
  expect(client.getQueryData(keys.groups('x'))).toBeUndefined();
});
