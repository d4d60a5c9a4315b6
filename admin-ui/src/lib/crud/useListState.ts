import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';

/** State of a list as it stands in the address: `?q=…&page=2&sort=-name&active=true`. */
export interface ListState {
  search: string;
  /** From 1. */
  page: number;
  sort: { field: string; order: 'asc' | 'desc' } | undefined;
  filters: Record<string, string[]>;
  filtered: boolean;
  set: (change: {
    search?: string;
    page?: number;
    sort?: ListState['sort'];
    filters?: Record<string, string[] | undefined>;
    /** Whether "back" leads past this; so it is for all but a change of page. */
    replace?: boolean;
  }) => void;
  clear: () => void;
}

/** Search, page, sort and the named filters in the URL: a pasted link shows the same, back goes back. */
export function useListState(names: readonly string[]): ListState {
  const [params, setParams] = useSearchParams();
  const key = names.join();
  const set = useCallback<ListState['set']>(
    (change) =>
      setParams(
        (old) => {
          const next = new URLSearchParams(old);
          const put = (name: string, value: string | undefined) =>
            value ? next.set(name, value) : next.delete(name);
          if (change.search !== undefined) put('q', change.search);
          if ('sort' in change)
            put('sort', change.sort && `${change.sort.order === 'desc' ? '-' : ''}${change.sort.field}`);
          for (const [name, values] of Object.entries(change.filters ?? {})) {
            next.delete(name);
            for (const value of values ?? []) next.append(name, value);
          }
          // Another selection begins on its first page.
          put('page', change.page && change.page > 1 ? String(change.page) : undefined);
          return next;
        },
        { replace: change.replace ?? change.page === undefined },
      ),
    [setParams],
  );
  return useMemo(() => {
    const sort = params.get('sort');
    const filters = Object.fromEntries(
      key
        .split(',')
        .filter((n) => n && params.has(n))
        .map((n) => [n, params.getAll(n)]),
    );
    const search = params.get('q') ?? '';
    return {
      search,
      page: Math.max(1, Math.trunc(Number(params.get('page'))) || 1),
      sort: sort
        ? {
            field: sort.replace(/^-/, ''),
            order: sort.startsWith('-') ? ('desc' as const) : ('asc' as const),
          }
        : undefined,
      filters,
      filtered: search !== '' || Object.keys(filters).length > 0,
      set,
      clear: () =>
        set({ search: '', filters: Object.fromEntries(key.split(',').map((n) => [n, undefined])) }),
    };
  }, [params, key, set]);
}
