import { useCallback, useEffect, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useMe } from '../../lib/me';
import { useRestaurant } from '../../lib/target';
import { type Filter, filterAt, PERSONAL, searchOf, speaks } from './filter';
import { storedFilter } from './stored';

type Personal = Pick<Filter, (typeof PERSONAL)[number]>;
const personalOf = (filter: Filter): Personal =>
  Object.fromEntries(PERSONAL.map((name) => [name, filter[name]])) as unknown as Personal;

interface StoredFilter {
  previousOrders?: Personal;
}

/**
 * The filter of a page: what its address says, and what is personal from the step of the browser's history, else
 * the one that was kept where the address is that one's. An address that says nothing shows the one that was kept.
 */
export function filterOfPage(search: string, state: unknown, kept: Filter | undefined): Filter {
  const said = filterAt(search);
  const own = (state as StoredFilter | null)?.previousOrders;
  if (own) return { ...said, ...own };
  if (kept && (!speaks(search) || searchOf(kept) === searchOf(said))) return kept;
  return said;
}

/** The filter, and how it becomes another one: in the address and on this device. */
export function useFilter(): [filter: Filter, apply: (filter: Filter) => void] {
  const { search, state, key } = useLocation();
  const navigate = useNavigate();
  const person = useMe().id;
  const restaurant = useRestaurant().id;
  const stored = useMemo(() => storedFilter(person, restaurant), [person, restaurant]);
  // The key is another one with each step, also to the same address.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const filter = useMemo(() => filterOfPage(search, state, stored.read()), [search, state, key, stored]);
  const show = useCallback(
    (next: Filter) =>
      void navigate(
        { search: searchOf(next, search) },
        { replace: true, state: { previousOrders: personalOf(next) } satisfies StoredFilter },
      ),
    [navigate, search],
  );
  const apply = useCallback(
    (next: Filter) => {
      stored.write(next);
      show(next);
    },
    [stored, show],
  );
  // What was kept stands in the address too, so that it can be handed on.
  const lacks = !speaks(search) && searchOf(filter) !== '';
  useEffect(() => {
    if (lacks) show(filter);
  }, [lacks, show, filter]);
  return [filter, apply];
}
