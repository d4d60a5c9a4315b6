import { Table } from 'antd';
import type { ComponentProps, KeyboardEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import { useCanDo } from '../access';
import { labelOf } from '../fields/labels';
import { useMedia, useNarrow } from '../hooks';
import { ActiveSwitch } from './ActiveSwitch';
import { useActionsColumn } from './listParts';
import type { Column, ResourceListProps } from './listProps';
import { RowCard } from './RowCard';
import type { ListState } from './useListState';
import type { Row } from './useResourceForm';
import { Value } from './Value';

interface Props {
  /** What is shown of the rows, and where they lead. */
  list: Pick<
    ResourceListProps,
    'resource' | 'fields' | 'columns' | 'params' | 'href' | 'onOpen' | 'rowActions' | 'nameOf'
  >;
  /** Those of the page; `query` is the reading that they come from. */
  rows: {
    rows: readonly (Row & { id: string })[];
    query: { isPlaceholderData: boolean };
    sortable: (column: Column) => boolean;
  };
  state: Pick<ListState, 'sort' | 'set'>;
}

/** The rows as a table, as cards on phones. */
export function ResourceRows(props: Props) {
  return useNarrow() ? <Cards {...props} /> : <RowTable {...props} />;
}

/** How a row is called unless the screen says it. */
export const plainName = (row: Row): string => String(row.name ?? row.title ?? row.id);

/** What stands in a row; the first column leads to it. */
function useCells(list: Props['list']) {
  const { resource, fields, params, href, nameOf = plainName } = list;
  const canDo = useCanDo();
  const columns = list.columns.map((c): Column => (typeof c === 'string' ? { key: c } : c));
  const cell = (column: Column, row: Row): ReactNode => {
    if (column.render) return column.render(row);
    const field = fields[column.key];
    if (column.key === 'active' && canDo(resource, 'update'))
      return <ActiveSwitch resource={resource} row={row} name={nameOf(row)} params={params} />;
    return field ? (
      <Value resource={resource} name={column.key} info={field} value={row[column.key]} />
    ) : (
      String(row[column.key] ?? '')
    );
  };
  const link = (column: Column, row: Row): ReactNode => {
    const to = href?.(row);
    return to === undefined ? (
      cell(column, row)
    ) : (
      <Link className="row-link" to={to}>
        {cell(column, row)}
      </Link>
    );
  };
  return { columns, cell, link };
}

/**
 * Rows without a link hold nothing to focus, and what is wider than the window is scrolled by keyboard too:
 * then the table itself can be focused.
 */
const FOCUSABLE = { table: (props: ComponentProps<'table'>) => <table {...props} tabIndex={0} /> };

/** The rows as a table, sorted by a click on a head. */
function RowTable({ list, rows: { rows, query, sortable }, state }: Props) {
  const { resource, fields, href, rowActions } = list;
  const { columns, cell, link } = useCells(list);
  const roomy = useMedia('(min-width: 1200px)');
  const isNumber = (key: string) => ['decimal', 'integer'].includes(fields[key]?.kind ?? '');
  const orderOf = (key: string) => {
    if (state.sort?.field !== key) return null;
    return state.sort.order === 'desc' ? ('descend' as const) : ('ascend' as const);
  };
  const actions = useActionsColumn(rowActions);
  return (
    <Table<Row>
      {...(href ? {} : { components: FOCUSABLE })}
      rowKey="id"
      dataSource={rows}
      pagination={false}
      loading={query.isPlaceholderData}
      sticky={{ offsetHeader: 0 }}
      // Texts break before the table is scrolled.
      scroll={{ x: true }}
      tableLayout="auto"
      showSorterTooltip={false}
      onRow={(row) => ({
        onClick: (event) => openRow(event, list, row),
        className: href?.(row) === undefined ? undefined : 'row-open',
      })}
      onChange={(_p, _f, sorter) => {
        const one = Array.isArray(sorter) ? sorter[0] : sorter;
        state.set({
          sort: one?.order
            ? { field: String(one.columnKey), order: one.order === 'descend' ? 'desc' : 'asc' }
            : undefined,
        });
      }}
      columns={[
        ...columns
          .filter((column) => roomy || !column.wideOnly)
          .map((column, index) => ({
            key: column.key,
            title: column.title ?? labelOf(resource, column.key),
            align: column.align ?? (isNumber(column.key) ? ('right' as const) : ('left' as const)),
            width: column.width,
            sorter: sortable(column),
            sortOrder: orderOf(column.key),
            render: (_: unknown, row: Row) => (
              <div className="list-cell">{index === 0 ? link(column, row) : cell(column, row)}</div>
            ),
          })),
        ...(rowActions ? [actions] : []),
      ]}
    />
  );
}

/** The rows as cards: the first column is the head, up to three more facts below. */
function Cards({ list, rows: { rows } }: Props) {
  const { resource, rowActions } = list;
  const { columns, cell, link } = useCells(list);
  const facts = columns
    .slice(1)
    .filter((c) => !c.wideOnly)
    .slice(0, 3);
  return (
    <ul className="list-cards">
      {rows.map((row) => (
        <RowCard
          key={row.id}
          head={
            <>
              {link(columns[0]!, row)}
              {rowActions?.(row)}
            </>
          }
          facts={facts.map((column) => ({
            key: column.key,
            label: column.title ?? labelOf(resource, column.key),
            value: cell(column, row),
          }))}
        />
      ))}
    </ul>
  );
}

/** A click anywhere in a row opens it, unless it hit something of its own or selects text. */
function openRow(event: React.MouseEvent, props: Props['list'], row: Row): void {
  const target = event.target as HTMLElement;
  // React hands on what happens in the row's menu, which lies elsewhere on the page.
  const own =
    !event.currentTarget.contains(target) ||
    target.closest('a, button, input, label, [role=switch]') !== null;
  const to = props.href?.(row);
  if (own || to === undefined || getSelection()?.toString()) return;
  if (event.ctrlKey || event.metaKey) window.open(to, '_blank', 'noopener');
  else props.onOpen?.(row);
}

/** Up and down walk through the rows' links; Enter on a link is the browser's own. */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  if (
    !['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(event.key) ||
    !(event.target as HTMLElement).classList.contains('row-link')
  )
    return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('.row-link')];
  const at = links.indexOf(event.target as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key]!;
  links[to]?.focus();
  event.preventDefault();
}
