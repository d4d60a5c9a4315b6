import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  ntakChangesCreate,
  ntakChangesList,
  ntakChangesUndo,
  ntakProposalsGet,
} from '../../generated/client/catalogue/catalogue';
import type { NewNtakChange } from '../../generated/model';
import { here } from '../../lib/target';

/** Every write of the menu makes other proposals: they belong to its family of keys. */
const KEY = ['catalogue', 'ntak'];

/** What the names of the menu speak for, read anew each time. */
export const useProposals = (all: boolean) =>
  useQuery({
    queryKey: [...KEY, 'proposals', all],
    queryFn: () => ntakProposalsGet(...here(), all ? { all } : {}),
    staleTime: 0,
  });

export const useChanges = () =>
  useQuery({ queryKey: [...KEY, 'changes'], queryFn: () => ntakChangesList(...here()) });

export function useChangeCalls() {
  const client = useQueryClient();
  /** The menu is another one now. */
  const written = () => client.invalidateQueries({ queryKey: ['catalogue'] });
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
