import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import type { Column, useListState } from '../../lib/crud';
import { ListFoot } from '../../lib/crud/listParts';
import { moveBetweenRows, ResourceRows } from '../../lib/crud/ResourceRows';
import { RowCard } from '../../lib/crud/RowCard';
import { useFormat } from '../../lib/format';
import { useNarrow } from '../../lib/hooks';
import type { Counted } from '../../lib/http';
import { usePageUrl } from '../../lib/navigation';
import { Card } from '../../lib/ui/page';
import { EmptyState, NothingMatches, QueryFallback } from '../../lib/ui/states';

interface Props<R> {
  resource: 'payments' | 'refunds' | 'payment_reconciliations';
  query: UseQueryResult<Counted<R>>;
  state: ReturnType<typeof useListState>;
  /** Search and filters. */
  tools: ReactNode;
  /** The first one opens the row; `amount` stands beside it on phones. */
  columns: readonly Column<R>[];
  /** The address of a row's drawer. */
  to: (row: R) => string;
}

/** The address of a payment's drawer over what is shown. */
export function useToPayment(): (id: string) => string {
  const url = usePageUrl();
  const { search } = useLocation();
  return (id) => url('payments', id) + search;
}

/** A list whose rows open a drawer. */
export function MoneyList<R extends { id: string }>(props: Props<R>) {
  const { resource, query, state, tools } = props;
  const { t } = useTranslation();
  const { number } = useFormat();
  const found = query.isError && query.isPlaceholderData ? undefined : query.data;
  const total = found?.total ?? 0;
  return (
    <Card flush className="list-card payments">
      {tools}
      <div aria-busy={query.isFetching} onKeyDown={moveBetweenRows}>
        {!found ? (
          <QueryFallback query={query} rows={8} />
        ) : total > 0 ? (
          <Rows {...props} rows={found.rows} />
        ) : state.filtered ? (
          <NothingMatches onClear={state.clear} />
        ) : (
          <EmptyState title={t(`payments.empty_title.${resource}`)} text={t(`payments.empty.${resource}`)} />
        )}
      </div>
      {total > 0 && (
        <ListFoot
          state={state}
          total={total}
          stale={query.isPlaceholderData}
          text={t('list.total', { total: number(total) })}
        />
      )}
    </Card>
  );
}

function Rows<R extends { id: string }>(props: Props<R> & { rows: readonly R[] }) {
  const { resource, query, columns, to, rows } = props;
  const narrow = useNarrow();
  const navigate = useNavigate();
  if (narrow) return <Cards columns={columns} rows={rows} to={to} />;
  return (
    <ResourceRows
      list={{
        resource,
        fields: {},
        // Inside, rows are read by the names of their fields.
        columns: columns as unknown as Column[],
        href: (row) => to(row as unknown as R),
        onOpen: (row) => void navigate(to(row as unknown as R)),
      }}
      rows={{ rows: rows as never, query, sortable: () => false }}
      state={{ sort: undefined, set: () => undefined }}
    />
  );
}

interface CardsProps<R> {
  columns: Props<R>['columns'];
  rows: readonly R[];
  to: (row: R) => string;
}

function Cards<R extends { id: string }>({ columns: [first, ...others], rows, to }: CardsProps<R>) {
  const amount = others.find(({ key }) => key === 'amount');
  return (
    <ul className="list-cards">
      {rows.map((row) => (
        <RowCard
          key={row.id}
          head={
            <>
              <Link className="row-link" to={to(row)}>
                {first?.render?.(row)}
              </Link>
              {amount?.render?.(row)}
            </>
          }
          facts={others
            .filter((column) => column !== amount)
            .map(({ key, title, render }) => ({ key, label: title, value: render?.(row) }))}
        />
      ))}
    </ul>
  );
}
