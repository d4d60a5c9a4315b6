import {
  orderFiltersCreate,
  orderFiltersDelete,
  orderFiltersList,
  orderFiltersUpdate,
} from '../../generated/client/orders/orders';
import type { SavedOrderFilter } from '../../generated/model';
import { useStanding } from '../../lib/hooks';
import { newKey } from '../../lib/idempotency';
import { readKey, useForget, useRead } from '../../lib/query';
import { here } from '../../lib/target';
import { bodyOf, type Filter } from './filter';

const KEY = readKey('orderFiltersList');
/** So many one person keeps in a restaurant. */
export const MOST_SAVED = 50;

export type Saved = SavedOrderFilter;

/** The own saved filters of this restaurant, by name; nobody else sees them. */
export function useSaved() {
  const forget = useForget();
  const standing = useStanding();
  const query = useRead(KEY, ({ signal }) => orderFiltersList(...here(), {}, { signal }), {
    enabled: standing,
  });
  const then = async <T>(done: Promise<T>): Promise<T> => {
    const answer = await done;
    await forget([KEY]);
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
