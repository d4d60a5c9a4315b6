import { Pagination } from 'antd';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchInput } from '../ui/SearchInput';
import { PAGE_SIZE } from './listProps';
import type { ListState } from './useListState';

/** The search of a list. */
export function ListSearch({ state, pause }: { state: ListState; pause?: number | undefined }) {
  const { t } = useTranslation();
  return (
    <SearchInput
      label={t('list.search')}
      value={state.search}
      onSearch={(search) => state.set({ search })}
      pause={pause}
    />
  );
}

/** The column of a row's buttons: in sight however far the table is scrolled. */
export function useActionsColumn<R>(rowActions: ((row: R) => ReactNode) | undefined) {
  const { t } = useTranslation();
  return {
    key: 'actions',
    width: 1,
    fixed: 'end' as const,
    align: 'right' as const,
    title: <span className="sr-only">{t('list.actions')}</span>,
    render: (_: unknown, row: R) => rowActions?.(row),
  };
}

interface PagesProps {
  /** From 1. */
  page: number;
  /** Rows of all pages. */
  total: number;
  onChange: (page: number) => void;
  /** Smaller on a phone. */
  responsive?: boolean;
}

/** The way to the other pages, when there are any. */
export function Pages({ page, total, onChange, responsive = false }: PagesProps) {
  if (total <= PAGE_SIZE) return null;
  return (
    <Pagination
      current={page}
      pageSize={PAGE_SIZE}
      total={total}
      showSizeChanger={false}
      responsive={responsive}
      onChange={onChange}
    />
  );
}

interface FootProps {
  state: ListState;
  total: number;
  /** The total is another selection's, shown until the right one has been read. */
  stale: boolean;
  text: ReactNode;
}

/** How many rows there are, and the way to the other pages. A page whose rows are gone gives way to the last. */
export function ListFoot({ state, total, stale, text }: FootProps) {
  const { page, set } = state;
  const last = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const past = !stale && page > last;
  useEffect(() => {
    if (past) set({ page: last, replace: true });
  }, [past, last, set]);
  return (
    <footer className="list-foot">
      <span aria-live="polite">{text}</span>
      <Pages page={page} total={total} onChange={(next) => set({ page: next })} responsive />
    </footer>
  );
}
