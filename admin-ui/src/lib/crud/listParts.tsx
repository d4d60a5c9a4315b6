import { Pagination } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchInput } from '../ui/SearchInput';
import type { ListState } from './useListState';

/** Rows per page. */
export const PAGE_SIZE = 40;

/** The search of a list. */
export function ListSearch({ state }: { state: ListState }) {
  const { t } = useTranslation();
  return (
    <SearchInput label={t('list.search')} value={state.search} onSearch={(search) => state.set({ search })} />
  );
}

/** How many rows there are, and the way to the other pages. */
export function ListFoot({ state, total, text }: { state: ListState; total: number; text: ReactNode }) {
  return (
    <footer className="list-foot">
      <span aria-live="polite">{text}</span>
      {total > PAGE_SIZE && (
        <Pagination
          current={state.page}
          pageSize={PAGE_SIZE}
          total={total}
          showSizeChanger={false}
          onChange={(page) => state.set({ page })}
          responsive
        />
      )}
    </footer>
  );
}
