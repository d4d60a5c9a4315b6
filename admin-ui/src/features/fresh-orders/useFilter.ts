import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { OrderPlatform } from '../../generated/model/orderPlatform';
import { type Filter, filterAt, searchOf } from './filter';

/** Where orders come from, in the order offered. */
export const PLATFORMS: readonly string[] = Object.values(OrderPlatform);

/** The filter of the board, which stands in the address. */
export function useFilter(): [filter: Filter, change: (part: Partial<Filter>) => void] {
  const { search } = useLocation();
  const navigate = useNavigate();
  const filter = useMemo(() => filterAt(search, PLATFORMS), [search]);
  const change = useCallback(
    (part: Partial<Filter>) =>
      void navigate({ search: searchOf({ ...filter, ...part }, search) }, { replace: true }),
    [filter, navigate, search],
  );
  return [filter, change];
}
