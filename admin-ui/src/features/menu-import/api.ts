import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useInvalidate } from '@refinedev/core';
import { useTranslation } from 'react-i18next';
import {
  getMenuImportsTemplateUrl,
  menuImportFaultsList,
  menuImportLinesList,
  menuImportsApply,
  menuImportsCreate,
  menuImportsGet,
  menuImportsList,
  menuImportsUndo,
  menuImportsUpdate,
} from '../../generated/client/catalogue/catalogue';
import { here } from '../../lib/target';
import type { MenuImport, MenuImportChange, MenuImportFault, MenuImportLine } from '../../generated/model';
import { counted, requestFile } from '../../lib/http';

/** How often a rehearsal under way is looked at. */
const POLL_MS = 400;
/** The most rows that one answer of a list holds. */
const PAGE = 200;

export const busy = (row: MenuImport | undefined) => row?.status === 'waiting' || row?.status === 'reading';

export function useImports() {
  return useQuery({
    queryKey: ['menu_imports', 'list'],
    queryFn: () => menuImportsList(...here()),
  });
}

export function useImport(id: string) {
  return useQuery({
    queryKey: ['menu_imports', 'one', id],
    queryFn: () => menuImportsGet(...here(), id),
    refetchInterval: ({ state }) => (busy(state.data) ? POLL_MS : false),
  });
}

/** A page of the faults of this state of the import. */
export function useFaults(row: MenuImport, page: number, limit: number) {
  return useQuery({
    queryKey: ['menu_imports', 'faults', row.id, row.version, row.status, page, limit],
    queryFn: () =>
      counted((options) => menuImportFaultsList(...here(), row.id, { count: true, limit, page }, options)),
    placeholderData: (before) => before,
  });
}

export function useLines(
  row: MenuImport,
  kind: MenuImportLine['kind'] | undefined,
  page: number,
  limit: number,
) {
  return useQuery({
    queryKey: ['menu_imports', 'lines', row.id, row.version, row.status, kind, page, limit],
    queryFn: () =>
      counted((options) =>
        menuImportLinesList(...here(), row.id, { count: true, limit, page, ...(kind && { kind }) }, options),
      ),
    placeholderData: (before) => before,
  });
}

export function useImportCalls() {
  const { i18n } = useTranslation();
  const client = useQueryClient();
  const invalidate = useInvalidate();
  const remember = async (row: MenuImport) => {
    client.setQueryData(['menu_imports', 'one', row.id], row);
    await client.invalidateQueries({ queryKey: ['menu_imports', 'list'] });
    return row;
  };
  /** The menu is another one now. */
  const written = async (row: MenuImport) => {
    for (const resource of ['product_categories', 'products', 'subproducts'])
      await invalidate({ resource, invalidates: ['all'] });
    await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'menu_imports' });
    return remember(row);
  };
  return {
    upload: async (file: File) =>
      remember(await menuImportsCreate(...here(), { file }, { timeout: 120_000 })),
    change: async (id: string, body: MenuImportChange) =>
      remember(await menuImportsUpdate(...here(), id, body)),
    apply: async (id: string) => written(await menuImportsApply(...here(), id)),
    undo: async (id: string) => written(await menuImportsUndo(...here(), id)),
    faults: async (id: string, count: number) => {
      const all: MenuImportFault[] = [];
      for (let page = 0; page * PAGE < count; page += 1)
        all.push(...(await menuImportFaultsList(...here(), id, { limit: PAGE, page })));
      return all;
    },
    /** An example sheet, with its headings in the language of the interface. */
    template: () => requestFile(getMenuImportsTemplateUrl(...here()), { 'Accept-Language': i18n.language }),
  };
}
