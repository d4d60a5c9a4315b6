import { menuHealthGet, menuMendsCreate, menuMendsUndo } from '../../generated/client/catalogue/catalogue';
import type { MenuHealth, MenuHealthRule, MenuMend, NewMenuMend } from '../../generated/model';
import { readKey, useRead } from '../../lib/query';
import { here } from '../../lib/target';
import { useRefreshCatalogue } from '../categories-and-products/shared/api';

/** A check is read whole for mending. */
export const ALL = 10_000;

/** What is wrong with the menu; of one check with all that it found. */
export const useHealth = (rule?: MenuHealthRule) =>
  useRead(
    readKey('menuHealthGet', rule ?? ''),
    ({ signal }): Promise<MenuHealth> =>
      menuHealthGet(...here(), rule ? { rule, limit: ALL } : {}, { signal }),
    { staleTime: 0 },
  );

/** The calls that write, and reading the menu again after them. */
export function useMending() {
  const refresh = useRefreshCatalogue();
  return {
    refresh,
    mend: async (body: NewMenuMend, key: string): Promise<MenuMend> => {
      const made = await menuMendsCreate(...here(), body, { 'Idempotency-Key': key });
      await refresh();
      return made;
    },
    undo: async (id: string): Promise<void> => {
      await menuMendsUndo(...here(), id);
      await refresh();
    },
  };
}
