import { useList, type CrudFilters } from '@refinedev/core';
import { useMemo } from 'react';
import { useCanDo } from '../access';
import { resourceInfo } from '../resources';
import { PAGE_SIZE } from './listProps';
import type { Column, ResourceListProps } from './listProps';
import type { ListState } from './useListState';
import type { Row } from './useResourceForm';

const collator = new Intl.Collator('hu', { numeric: true });

/** The rows of a list and what is known of them. */
export function useRows({ resource, fields, params, refreshMs }: ResourceListProps, state: ListState) {
  const canDo = useCanDo();
  const info = resourceInfo(resource);
  const searchable = info.filters.includes('name');
  const paged = info.paged ?? false;
  const filters: CrudFilters = [
    ...(searchable && state.search
      ? [{ field: 'name', operator: 'contains' as const, value: state.search }]
      : []),
    ...Object.entries(state.filters).map(([field, value]) => ({ field, operator: 'eq' as const, value })),
  ];
  const { query, result } = useList<Row & { id: string }>({
    resource,
    filters,
    pagination: paged ? { currentPage: state.page, pageSize: PAGE_SIZE } : { mode: 'off' },
    sorters: info.sort && state.sort ? [state.sort] : [],
    meta: params ? { params } : {},
    liveMode: 'auto',
    errorNotification: false,
    queryOptions: {
      placeholderData: (old) => old,
      enabled: canDo(resource, 'list'),
      refetchInterval: refreshMs ?? false,
    },
  });
  const sorted = useMemo(
    () => (info.sort || !state.sort ? result.data : sortRows(result.data, state.sort)),
    [result.data, state.sort, info.sort],
  );
  // A list that is read whole ends where the service's answer does; the rest is found by searching, not
  // sorted here.
  const beyond = paged ? 0 : Math.max(0, (result.total ?? 0) - sorted.length);
  const total = paged ? (result.total ?? 0) : sorted.length;
  return {
    query,
    searchable,
    /** All rows that were read. */
    all: sorted,
    /** Those of the page. */
    rows: paged ? sorted : sorted.slice((state.page - 1) * PAGE_SIZE, state.page * PAGE_SIZE),
    total,
    /** How many more there are than the service answers in one list. */
    beyond,
    mayRank:
      info.rankPath !== undefined && canDo(resource, 'rank') && !state.filtered && total > 1 && beyond === 0,
    sortable: (column: Column): boolean =>
      (info.sort || !(paged || beyond > 0)) &&
      fields[column.key] !== undefined &&
      !['rows', 'ranges', 'refs', 'multiselect'].includes(fields[column.key]!.kind),
  };
}

export type Rows = ReturnType<typeof useRows>;

/** Rows that are all here are sorted here, Hungarian letters in their places, empty values last. */
function sortRows<T extends Row>(rows: readonly T[], sort: NonNullable<ListState['sort']>): T[] {
  const sign = sort.order === 'desc' ? -1 : 1;
  const none = (v: unknown) => v === null || v === undefined || v === '';
  return [...rows].sort((a, b) => {
    const [x, y] = [a[sort.field], b[sort.field]];
    if (none(x) || none(y)) return Number(none(x)) - Number(none(y));
    return (
      sign * (typeof x === 'number' && typeof y === 'number' ? x - y : collator.compare(String(x), String(y)))
    );
  });
}
