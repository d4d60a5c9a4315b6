import { type GetRef, Table } from 'antd';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format';
import { useMedia, useNarrow } from '../hooks';
import { Pages, useActionsColumn } from './listParts';
import { type Column, PAGE_SIZE } from './listProps';
import { RowCard } from './RowCard';
import './list.css';

type TableRef = GetRef<typeof Table>;

/** A column with its title and content: nothing is known of the rows' fields. */
export type PlainColumn<R> = Column<R> & Required<Pick<Column<R>, 'title' | 'render'>>;

interface Props<R> {
  rows: readonly R[];
  rowKey: (row: R) => string;
  /** The first one is the head of a card. */
  columns: readonly PlainColumn<R>[];
  /** Buttons of a row; they stay in sight. */
  rowActions?: (row: R) => ReactNode;
}

/** Rows that are all there, in a `<Card flush className="list-card">`: as a table, as cards on phones. */
export function PlainRows<R extends object>({ rows, rowKey, columns, rowActions }: Props<R>) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const narrow = useNarrow();
  const roomy = useMedia('(min-width: 1200px)');
  const [page, setPage] = useState(1);
  const last = Math.max(1, Math.ceil(rows.length / PAGE_SIZE));
  const from = (Math.min(page, last) - 1) * PAGE_SIZE;
  const part = { rows: rows.slice(from, from + PAGE_SIZE), rowKey, rowActions };
  const shown = columns.filter((column) => roomy || !column.wideOnly);
  return (
    <>
      {narrow ? <Cards {...part} columns={shown} /> : <PlainTable {...part} columns={shown} />}
      {rows.length > PAGE_SIZE && (
        <footer className="list-foot">
          <span>{t('list.total', { total: number(rows.length) })}</span>
          <Pages page={Math.min(page, last)} total={rows.length} onChange={setPage} responsive />
        </footer>
      )}
    </>
  );
}

type PartProps<R> = Omit<Props<R>, 'rowActions'> & { rowActions: Props<R>['rowActions'] | undefined };

/** Lets the arrow keys scroll a table that is wider than its place: there may be nothing in it to tab to. */
function useScrolledByKeys(table: RefObject<TableRef | null>) {
  useEffect(() => {
    const content = table.current?.nativeElement.querySelector('.ant-table-content');
    if (!content) return;
    const observer = new ResizeObserver(() => {
      if (content.scrollWidth > content.clientWidth) content.setAttribute('tabindex', '0');
      else content.removeAttribute('tabindex');
    });
    observer.observe(content);
    for (const part of content.children) observer.observe(part);
    return () => observer.disconnect();
  }, [table]);
}

function PlainTable<R extends object>({ rows, rowKey, columns, rowActions }: PartProps<R>) {
  const actions = useActionsColumn(rowActions);
  const table = useRef<TableRef>(null);
  useScrolledByKeys(table);
  return (
    <Table<R>
      ref={table}
      rowKey={rowKey}
      dataSource={rows}
      pagination={false}
      // Texts break before the table is scrolled.
      scroll={{ x: true }}
      tableLayout="auto"
      columns={[
        ...columns.map(({ key, title, align = 'left', render }) => ({
          key,
          title,
          align,
          render: (_: unknown, row: R) => <div className="list-cell">{render(row)}</div>,
        })),
        ...(rowActions ? [actions] : []),
      ]}
    />
  );
}

function Cards<R>({ rows, rowKey, columns: [head, ...facts], rowActions }: PartProps<R>) {
  return (
    <ul className="list-cards">
      {rows.map((row) => (
        <RowCard
          key={rowKey(row)}
          head={head?.render(row)}
          facts={facts.map(({ key, title, render }) => ({ key, label: title, value: render(row) }))}
          foot={rowActions?.(row)}
        />
      ))}
    </ul>
  );
}
