import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  getMenuImportsTemplateUrl,
  menuImportFaultsList,
  menuImportLinesList,
  menuImportsApply,
  menuImportsCreate,
  menuImportsGet,
  menuImportsUndo,
  menuImportsUpdate,
} from '../../generated/client/catalogue/catalogue';
import { isOf, readKey, useForget, useRead } from '../../lib/query';
import { here } from '../../lib/target';
import type { MenuImport, MenuImportChange, MenuImportFault, MenuImportLine } from '../../generated/model';
import { counted, requestFile } from '../../lib/http';
import source from './work';

/** How often a rehearsal under way is looked at. */
const POLL_MS = 400;
/** The most rows that one answer of a list holds. */
const PAGE = 200;

export const busy = (row: MenuImport | undefined) => row?.status === 'waiting' || row?.status === 'reading';

export function useImports() {
  return useRead(readKey(source.call), ({ signal }) => source.read({ signal }));
}

export function useImport(id: string) {
  return useRead(readKey('menuImportsGet', id), () => menuImportsGet(...here(), id), {
    refetchInterval: ({ state }) => (busy(state.data) ? POLL_MS : false),
  });
}

/** A page of the faults of this state of the import. */
export function useFaults(row: MenuImport, page: number, limit: number) {
  return useRead(
    readKey('menuImportFaultsList', row.id, row.version, row.status, page, limit),
    () =>
      counted((options) => menuImportFaultsList(...here(), row.id, { count: true, limit, page }, options)),
    { placeholderData: (before) => before },
  );
}

export function useLines(
  row: MenuImport,
  kind: MenuImportLine['kind'] | undefined,
  page: number,
  limit: number,
) {
  return useRead(
    readKey('menuImportLinesList', row.id, row.version, row.status, kind, page, limit),
    () =>
      counted((options) =>
        menuImportLinesList(...here(), row.id, { count: true, limit, page, ...(kind && { kind }) }, options),
      ),
    { placeholderData: (before) => before },
  );
}

export function useImportCalls() {
  const { i18n } = useTranslation();
  const client = useQueryClient();
  const forget = useForget();
  const remember = async (row: MenuImport) => {
    client.setQueryData(readKey('menuImportsGet', row.id), row);
    await forget(['menuImportsList']);
    return row;
  };
  /** The menu is another one now. */
  const written = async (row: MenuImport) => {
    const own = ['menu_imports', 'menu_import_faults', 'menu_import_lines'] as const;
    await client.invalidateQueries({ predicate: ({ queryKey }) => !isOf(queryKey, own) });
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
