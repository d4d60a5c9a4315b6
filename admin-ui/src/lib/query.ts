import {
  partialMatchKey,
  type QueryFunctionContext,
  type QueryKey,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useCallback } from 'react';
import type * as client from '../generated/client';
import type { ResourceName } from '../generated/resources.gen';

/** A call of the generated client. */
export type Call = Exclude<keyof typeof client, `get${string}Url`>;
declare const made: unique symbol;
/** Only `readKey` makes one. */
export type Key = readonly [Call, ...unknown[]] & { readonly [made]: true };

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: Key;
  }
}

/** What is read with a call, by what it is asked for; the restaurant has a cache of its own. */
export const readKey = (call: Call, ...asked: readonly unknown[]): Key => [call, ...asked] as unknown as Key;

type Options<T, D> = Omit<UseQueryOptions<T, Error, D>, 'queryKey' | 'queryFn'>;

/** Reads, and keeps the answer under the key, or under the name of a call that is made in one way alone. */
export const useRead = <T, D = T>(
  key: Call | Key,
  queryFn: (context: QueryFunctionContext) => Promise<T>,
  options?: Options<T, D>,
): UseQueryResult<D> =>
  useQuery<T, Error, D>({ ...options, queryKey: typeof key === 'string' ? readKey(key) : key, queryFn });

/** All calls of a resource, one call, or what begins like a key. */
export type Read = ResourceName | Call | Key;

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The call of a key. Those of Refine (`data`, provider, resource, action) count as the resource's calls. */
function callOf([first, , resource, action]: readonly unknown[]): string {
  if (first !== 'data') return String(first);
  return camel(String(resource)) + (action === 'one' ? 'Get' : 'List');
}

/** Whether a query reads one of these. What lies below a resource begins with its name: `drawer_closes`. */
export const isOf = (queryKey: readonly unknown[], reads: readonly Read[]): boolean =>
  reads.some((read) => {
    if (typeof read !== 'string') return partialMatchKey(queryKey as Key, read);
    const [call, begin] = [callOf(queryKey), camel(read)];
    return call.startsWith(begin) && !/[a-z]/.test(call.charAt(begin.length));
  });

/**
 * Forgets what was read: what is shown is read again, the rest when it is shown. What is under way is given up,
 * because its answer may be older than the news. What is of `but` stays.
 */
export function useForget(): (reads: readonly Read[], but?: readonly Read[]) => Promise<void> {
  const cache = useQueryClient();
  return useCallback(
    async (reads, but = []) => {
      const filter = {
        predicate: ({ queryKey }: { queryKey: QueryKey }) => isOf(queryKey, reads) && !isOf(queryKey, but),
      };
      await cache.cancelQueries(filter);
      await cache.invalidateQueries(filter);
    },
    [cache],
  );
}
