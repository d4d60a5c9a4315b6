import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { Fields } from '../fields/kinds';

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

/**
 * The state without values that a field does not have: an address may be old, or mistyped, and what it names
 * cannot be chosen away.
 */
export function withKnownValues(state: ListState, fields: Fields): ListState {
  const filters = Object.fromEntries(
    Object.entries(state.filters).flatMap(([name, values]) => {
      const { kind, options } = fields[name] ?? {};
      const allowed = kind === 'switch' ? ['true', 'false'] : kind === 'select' ? options : undefined;
      if (!allowed) return [[name, values]];
      const value = values.find((one) => allowed.includes(one));
      return value === undefined ? [] : [[name, [value]]];
    }),
  );
  return { ...state, filters, filtered: state.search !== '' || Object.keys(filters).length > 0 };
}

/** The number of a page; the first for what is none. */
const pageOf = (text: string | null): number => (/^[1-9]\d{0,6}$/.test(text ?? '') ? Number(text) : 1);

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
      page: pageOf(params.get('page')),
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
