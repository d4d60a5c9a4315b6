import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  orderFiltersCreate,
  orderFiltersDelete,
  orderFiltersList,
  orderFiltersUpdate,
} from '../../generated/client/orders/orders';
import type { SavedOrderFilter } from '../../generated/model';
import { useStanding } from '../../lib/hooks';
import { newKey } from '../../lib/idempotency';
import { readAnew } from '../../lib/providers/reading';
import { here } from '../../lib/target';
import { bodyOf, type Filter } from './filter';

const KEY = ['orders', 'previous', 'saved'];
/** So many one person keeps in a restaurant. */
export const MOST_SAVED = 50;

export type Saved = SavedOrderFilter;

/** The own saved filters of this restaurant, by name; nobody else sees them. */
export function useSaved() {
  const client = useQueryClient();
  const standing = useStanding();
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => orderFiltersList(...here(), {}, { signal }),
    enabled: standing,
  });
  const then = async <T>(done: Promise<T>): Promise<T> => {
    const answer = await done;
    await readAnew(client, KEY);
    return answer;
  };
  return {
    saved: query.data ?? [],
    create: (name: string, filter: Filter, key: string) =>
      then(orderFiltersCreate(...here(), { name, filter: bodyOf(filter) }, { 'Idempotency-Key': key })),
    /** @throws ApiError CONFLICT when it was changed in another window */
    rename: ({ id, version }: Saved, name: string) =>
      then(orderFiltersUpdate(...here(), id, { name, version })),
    remove: ({ id }: Saved) => then(orderFiltersDelete(...here(), id)),
    /** As it was, under another id. */
    restore: ({ name, filter }: Saved) =>
      then(orderFiltersCreate(...here(), { name, filter }, { 'Idempotency-Key': newKey() })),
  };
}

export type SavedFilters = ReturnType<typeof useSaved>;
