import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useInvalidate } from '@refinedev/core';
import type { MenuImport, MenuImportChange, MenuImportFault, MenuImportLine } from '../../generated/model';
import { request } from '../../lib/http';
import { useRestaurant } from '../../lib/target';

/** How often a rehearsal under way is looked at. */
const POLL_MS = 400;
/** The most rows that one answer of a list holds. */
const PAGE = 200;

export const busy = (row: MenuImport | undefined) => row?.status === 'waiting' || row?.status === 'reading';

function useBase(): string {
  const restaurant = useRestaurant();
  return `/admin/partners/${restaurant.partner_id}/restaurants/${restaurant.id}/menu-imports`;
}

export function useImports() {
  const base = useBase();
  return useQuery({
    queryKey: ['menu_imports', 'list'],
    queryFn: async () => (await request<MenuImport[]>(base)).data,
  });
}

export function useImport(id: string) {
  const base = useBase();
  return useQuery({
    queryKey: ['menu_imports', 'one', id],
    queryFn: async () => (await request<MenuImport>(`${base}/${id}`)).data,
    refetchInterval: ({ state }) => (busy(state.data) ? POLL_MS : false),
  });
}

const rows = async <T>(path: string) => {
  const { data, headers } = await request<T[]>(path);
  return { rows: data, total: Number(headers.get('X-Total-Count') ?? data.length) };
};

/** A page of the faults of this state of the import. */
export function useFaults(row: MenuImport, page: number, limit: number) {
  const base = useBase();
  return useQuery({
    queryKey: ['menu_imports', 'faults', row.id, row.version, row.status, page, limit],
    queryFn: () => rows<MenuImportFault>(`${base}/${row.id}/faults?count=true&limit=${limit}&page=${page}`),
    placeholderData: (before) => before,
  });
}

export function useLines(
  row: MenuImport,
  kind: MenuImportLine['kind'] | undefined,
  page: number,
  limit: number,
) {
  const base = useBase();
  return useQuery({
    queryKey: ['menu_imports', 'lines', row.id, row.version, row.status, kind, page, limit],
    queryFn: () =>
      rows<MenuImportLine>(
        `${base}/${row.id}/lines?count=true&limit=${limit}&page=${page}${kind ? `&kind=${kind}` : ''}`,
      ),
    placeholderData: (before) => before,
  });
}

export function useImportCalls() {
  const base = useBase();
  const client = useQueryClient();
  const invalidate = useInvalidate();
  const kept = async (row: MenuImport) => {
    client.setQueryData(['menu_imports', 'one', row.id], row);
    await client.invalidateQueries({ queryKey: ['menu_imports', 'list'] });
    return row;
  };
  /** The menu is another one now. */
  const written = async (row: MenuImport) => {
    for (const resource of ['product_categories', 'products', 'subproducts'])
      await invalidate({ resource, invalidates: ['all'] });
    await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'menu_imports' });
    return kept(row);
  };
  return {
    upload: async (file: File) => {
      const body = new FormData();
      body.append('file', file);
      return kept((await request<MenuImport>(base, { method: 'POST', body, timeout: 120_000 })).data);
    },
    change: async (id: string, body: MenuImportChange) =>
      kept((await request<MenuImport>(`${base}/${id}`, { method: 'PUT', body })).data),
    apply: async (id: string) =>
      written((await request<MenuImport>(`${base}/${id}/apply`, { method: 'POST' })).data),
    undo: async (id: string) =>
      written((await request<MenuImport>(`${base}/${id}/undo`, { method: 'POST' })).data),
    faults: async (id: string, count: number) => {
      const all: MenuImportFault[] = [];
      for (let page = 0; page * PAGE < count; page += 1)
        all.push(...(await rows<MenuImportFault>(`${base}/${id}/faults?limit=${PAGE}&page=${page}`)).rows);
      return all;
    },
    template: `/api/v3${base}/template`,
  };
}
