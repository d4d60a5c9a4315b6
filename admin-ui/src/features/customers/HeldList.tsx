import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../lib/crud';
import { ListFoot } from '../../lib/crud/listParts';
import { moveBetweenRows, ResourceRows } from '../../lib/crud/ResourceRows';
import type { ListState } from '../../lib/crud/useListState';
import { useFormat } from '../../lib/format';
import type { Counted } from '../../lib/http';
import { usePage, usePageUrl } from '../../lib/navigation';
import { Card } from '../../lib/ui/page';
import { NothingMatches, QueryFallback } from '../../lib/ui/states';
import '../../lib/crud/list.css';

interface Props<R extends { id: string; name: string }> {
  query: UseQueryResult<Counted<R>>;
  state: ListState;
  tools: ReactNode;
  columns: readonly Column<R>[];
  /** Columns that the service sorts by. */
  sorts?: readonly string[];
  /** What is chosen, in words. */
  filters: string;
  /** There are none at all. */
  empty: ReactNode;
}

/** Rows of customers as a list: they are read with the PIN, which the shared lists do not send. */
export function HeldList<R extends { id: string; name: string }>(props: Props<R>) {
  const { query, state, tools, columns, sorts = [], filters, empty } = props;
  const { t } = useTranslation();
  const { number } = useFormat();
  const { feature, open } = usePage();
  const url = usePageUrl();
  const { data } = query;
  const found = () => {
    if (!data) return <QueryFallback query={query} rows={8} />;
    if (data.total === 0)
      return state.filtered ? <NothingMatches onClear={state.clear} filters={filters} /> : empty;
    return (
      <ResourceRows
        list={{
          resource: 'shadow_customers',
          fields: {},
          // Inside, rows are read by the names of their fields.
          columns: columns as unknown as Column[],
          href: (row) => url(feature!.key, String(row.id)) + location.search,
          onOpen: (row) => void open(String(row.id)),
        }}
        rows={{
          rows: data.rows as never,
          query,
          sortable: ({ key }) => sorts.includes(key),
        }}
        state={state}
      />
    );
  };
  return (
    <Card flush className="list-card">
      {tools}
      <div onKeyDown={moveBetweenRows} aria-busy={query.isFetching}>
        {found()}
      </div>
      {data && data.total > 0 && (
        <ListFoot
          state={state}
          total={data.total}
          stale={query.isPlaceholderData}
          text={t('list.total', { total: number(data.total) })}
        />
      )}
    </Card>
  );
}
