import {
  ntakChangesCreate,
  ntakChangesList,
  ntakChangesUndo,
  ntakProposalsGet,
} from '../../generated/client/catalogue/catalogue';
import type { NewNtakChange } from '../../generated/model';
import { readKey, useForget, useRead } from '../../lib/query';
import { here } from '../../lib/target';
import { CATALOGUE } from '../categories-and-products/shared/api';

/** Every write of the menu makes other proposals: they belong to its family of keys. */
/** What the names of the menu speak for, read anew each time. */
export const useProposals = (all: boolean) =>
  useRead(readKey('ntakProposalsGet', all), () => ntakProposalsGet(...here(), all ? { all } : {}), {
    staleTime: 0,
  });

export const useChanges = () => useRead('ntakChangesList', () => ntakChangesList(...here()));

export function useChangeCalls() {
  const forget = useForget();
  /** The menu is another one now. */
  const written = () => forget(CATALOGUE);
  return {
    change: async (body: NewNtakChange, key: string) => {
      const made = await ntakChangesCreate(...here(), body, { 'Idempotency-Key': key });
      await written();
      return made;
    },
    undo: async (id: string) => {
      await ntakChangesUndo(...here(), id);
      await written();
    },
    again: written,
  };
}
