import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../lib/ui/page';
import { NothingMatches, QueryFallback } from '../../../lib/ui/states';
import { setShown } from './shown';
import { SearchBox, ShownBoxes, useSearch } from './Toolbar';

interface Props<T> {
  /** The hits of the search (`q` of the address). */
  found: Pick<UseQueryResult<readonly T[]>, 'data' | 'isError' | 'error' | 'refetch'>;
  /** Those of it that are shown. */
  rows: readonly T[];
  /** How many there are without a search. */
  all: number;
  /** The searched resource. */
  label: string;
  /** The content of an empty list. */
  empty: ReactNode;
  /** The list. */
  children: ReactNode;
}

/** A list of the catalogue with its search, or why it is empty. */
export function FoundCard<T>({ found, rows, all, label, empty, children }: Props<T>) {
  const { t } = useTranslation();
  const [name, search] = useSearch('q');
  let body = empty;
  if (!found.data) body = <QueryFallback query={found} rows={8} />;
  else if (rows.length > 0) body = children;
  else if (name || found.data.length > 0)
    body = (
      <NothingMatches
        onClear={() => {
          search('');
          setShown({ active: true, inactive: true });
        }}
      />
    );
  return (
    <Card flush className="list-card">
      {(all > 0 || name !== '') && (
        <div className="list-tools" role="search" data-scan>
          <SearchBox name="q" label={label} />
          <ShownBoxes />
        </div>
      )}
      {body}
      {rows.length > 0 && (
        <footer className="list-foot">
          <span aria-live="polite">{t('list.total', { total: rows.length })}</span>
        </footer>
      )}
    </Card>
  );
}
