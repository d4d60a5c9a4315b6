import { SearchOutlined } from '@ant-design/icons';
import { Input, Pagination } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDebounced } from '../hooks';
import type { ListState } from './useListState';

/** Rows per page. */
export const PAGE_SIZE = 40;

/** The search of a list; asked for 400 ms after the last key. */
export function ListSearch({ state }: { state: ListState }) {
  const { t } = useTranslation();
  const [text, setText] = useState(state.search);
  const still = useDebounced(text, 400);
  useEffect(() => {
    if (still.trim() !== state.search) state.set({ search: still.trim() });
    // only when typing has paused
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [still]);
  useEffect(() => setText(state.search), [state.search]);
  return (
    <Input
      allowClear
      prefix={<SearchOutlined aria-hidden />}
      className="list-search"
      aria-label={t('list.search')}
      placeholder={t('list.search')}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
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
