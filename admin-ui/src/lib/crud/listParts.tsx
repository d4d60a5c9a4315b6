import { Pagination } from 'antd';
import type { ReactNode } from 'react';
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

/** How many rows there are, and the way to the other pages. */
export function ListFoot({ state, total, text }: { state: ListState; total: number; text: ReactNode }) {
  return (
    <footer className="list-foot">
      <span aria-live="polite">{text}</span>
      <Pages page={state.page} total={total} onChange={(page) => state.set({ page })} responsive />
    </footer>
  );
}
