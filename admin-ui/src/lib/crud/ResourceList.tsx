import { OrderedListOutlined, PlusOutlined } from '@ant-design/icons';
import { type CrudFilters, useList } from '@refinedev/core';
import { Select, Table } from 'antd';
import { type ComponentProps, type KeyboardEvent, type ReactNode, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCanDo } from '../access';
import type { Fields } from '../fields/kinds';
import { labelOf, optionLabel } from '../fields/labels';
import { t as say } from '../i18n';
import { useFormat } from '../format';
import { useNarrow } from '../hooks';
import { resourceInfo } from '../resources';
import { Button } from '../ui/Button';
import { Card, PageHeader } from '../ui/page';
import { EmptyState, ErrorState, Loading, NoPermission, NothingMatches } from '../ui/states';
import { ActiveSwitch } from './ActiveSwitch';
import { ListFoot, ListSearch, PAGE_SIZE } from './listParts';
import { type ListState, useListState } from './useListState';
import type { Row } from './useResourceForm';
import { Value } from './Value';
import { later } from '../later';
import './list.css';

const RankList = later(() => import('./RankList'));

/**
 * Rows without a link hold nothing to focus, and what is wider than the window is scrolled by keyboard too:
 * then the table itself can be focused.
 */
const FOCUSABLE = { table: (props: ComponentProps<'table'>) => <table {...props} tabIndex={0} /> };

export interface Column {
  key: string;
  title?: ReactNode;
  render?: (row: Row) => ReactNode;
  align?: 'left' | 'right';
  width?: number;
  /** Left out of the cards on phones. */
  wideOnly?: boolean;
}

export interface ResourceListProps {
  resource: string;
  fields: Fields;
  /** Names of fields, or columns of the screen's own. The first one is the link to the row. */
  columns: readonly (string | Column)[];
  /** Fields with a filter above the list; the document must have a parameter of the name. */
  filters?: readonly string[];
  /** Address of a row; none: rows, or this one, are not opened. */
  href?: (row: Row) => string | undefined;
  onOpen?: (row: Row) => void;
  onNew?: () => void;
  params?: Record<string, unknown>;
  title?: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  /** Buttons at the end of each row. */
  rowActions?: (row: Row) => ReactNode;
  /** How a row is called in announcements and when it is sorted by hand. */
  nameOf?: (row: Row) => string;
}

const plainName = (row: Row): string => String(row.name ?? row.title ?? row.id);
const collator = new Intl.Collator('hu', { numeric: true });

/**
 * A list from the document: pages of 40 with the total, search, filters and sort in the URL, the four empty
 * states, rows as links (arrows and Enter), cards below 768 px, sorting by hand where the resource has a
 * ranking.
 */
export function ResourceList(props: ResourceListProps) {
  const { resource, fields, filters = [], params, nameOf = plainName } = props;
  const { t } = useTranslation();
  const canDo = useCanDo();
  const narrow = useNarrow();
  const { number } = useFormat();
  const info = resourceInfo(resource);
  const state = useListState(filters);
  const [ranking, setRanking] = useState(false);
  const byName = info.filters.includes('name');
  const server = info.paged ?? false;

  const asked: CrudFilters = [
    ...(byName && state.search
      ? [{ field: 'name', operator: 'contains' as const, value: state.search }]
      : []),
    ...Object.entries(state.filters).map(([field, value]) => ({ field, operator: 'eq' as const, value })),
  ];
  const { query, result } = useList<Row & { id: string }>({
    resource,
    filters: asked,
    pagination: server ? { currentPage: state.page, pageSize: PAGE_SIZE } : { mode: 'off' },
    sorters: info.sort && state.sort ? [state.sort] : [],
    meta: params ? { params } : {},
    liveMode: 'auto',
    errorNotification: false,
    queryOptions: { placeholderData: (old) => old, enabled: canDo(resource, 'list') },
  });

  const sorted = useMemo(
    () => (info.sort || !state.sort ? result.data : sortRows(result.data, state.sort)),
    [result.data, state.sort, info.sort],
  );
  // A list that is read whole ends where the service's answer does; the rest is found by searching, not
  // sorted here.
  const beyond = server ? 0 : Math.max(0, (result.total ?? 0) - sorted.length);
  const total = server ? (result.total ?? 0) : sorted.length;
  const rows = server ? sorted : sorted.slice((state.page - 1) * PAGE_SIZE, state.page * PAGE_SIZE);
  const columns = props.columns.map((c) => (typeof c === 'string' ? { key: c } : c));
  const mayRank =
    info.rankPath !== undefined && canDo(resource, 'rank') && !state.filtered && total > 1 && beyond === 0;

  const newButton = props.onNew && canDo(resource, 'create') && (
    <Button type="primary" icon={<PlusOutlined />} onClick={props.onNew}>
      {t(`${resource}.new`)}
    </Button>
  );
  const header = (
    <PageHeader
      title={props.title}
      lead={props.lead}
      actions={
        <>
          {props.actions}
          {mayRank && !ranking && (
            <Button icon={<OrderedListOutlined />} onClick={() => setRanking(true)}>
              {t('list.sort')}
            </Button>
          )}
          {!ranking && (total > 0 || state.filtered || query.isLoading) && newButton}
        </>
      }
    />
  );

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
    const to = props.href?.(row);
    return to === undefined ? (
      cell(column, row)
    ) : (
      <Link className="row-link" to={to}>
        {cell(column, row)}
      </Link>
    );
  };

  let body: ReactNode;
  if (!canDo(resource, 'list')) body = <NoPermission />;
  else if (ranking) {
    body = (
      <Suspense fallback={<Loading />}>
        <RankList
          resource={resource}
          rows={sorted}
          nameOf={nameOf}
          params={params}
          onDone={() => setRanking(false)}
        />
      </Suspense>
    );
  } else if (query.isError && !query.data)
    body = <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  else if (query.isLoading) body = <Loading rows={8} />;
  else if (total === 0 && state.filtered)
    body = (
      <NothingMatches
        onClear={state.clear}
        filters={describe(resource, fields, state, t('list.filtered_by'))}
      />
    );
  else if (total === 0)
    body = (
      <EmptyState title={t('list.empty')} text={t(`${resource}.empty`)} actions={newButton || undefined} />
    );
  else if (narrow)
    body = (
      <Cards
        columns={columns}
        rows={rows}
        cell={cell}
        link={link}
        fields={fields}
        resource={resource}
        rowActions={props.rowActions}
      />
    );
  else
    body = (
      <RowTable
        list={props}
        columns={columns}
        rows={rows}
        cell={cell}
        link={link}
        state={state}
        loading={query.isPlaceholderData}
        sortable={(column) => sortable(column, fields, info.sort ?? false, server || beyond > 0)}
      />
    );

  return (
    <>
      {header}
      <Card flush className="list-card">
        {!ranking && (byName || filters.length > 0) && canDo(resource, 'list') && (
          <Tools resource={resource} fields={fields} filters={filters} search={byName} state={state} />
        )}
        <div onKeyDown={moveBetweenRows} aria-busy={query.isFetching}>
          {body}
        </div>
        {!ranking && total > 0 && (
          <ListFoot
            state={state}
            total={total}
            text={
              beyond > 0
                ? t('list.total_beyond', { total: number(total + beyond), shown: number(total) })
                : t('list.total', { total: number(total) })
            }
          />
        )}
      </Card>
    </>
  );
}

/** Search and filters. */
function Tools({
  resource,
  fields,
  filters,
  search,
  state,
}: {
  resource: string;
  fields: Fields;
  filters: readonly string[];
  search: boolean;
  state: ListState;
}) {
  const { t } = useTranslation();
  return (
    <div className="list-tools" role="search">
      {search && <ListSearch state={state} />}
      {filters.map((name) => {
        const info = fields[name];
        const options = (info?.kind === 'switch' ? ['true', 'false'] : (info?.options ?? [])).map(
          (value) => ({ value, label: choiceOf(resource, fields, name, value) }),
        );
        return (
          <Select
            key={name}
            allowClear
            aria-label={labelOf(resource, name)}
            placeholder={labelOf(resource, name)}
            className="list-filter"
            popupMatchSelectWidth={false}
            options={options}
            value={state.filters[name]?.[0] ?? null}
            onChange={(value?: string) => state.set({ filters: { [name]: value ? [value] : undefined } })}
          />
        );
      })}
      {state.filtered && (
        <Button type="link" onClick={state.clear}>
          {t('action.clear_filters')}
        </Button>
      )}
    </div>
  );
}

interface RowTableProps {
  list: ResourceListProps;
  columns: readonly Column[];
  rows: readonly Row[];
  cell: (column: Column, row: Row) => ReactNode;
  /** The cell of the first column, which leads to the row. */
  link: (column: Column, row: Row) => ReactNode;
  state: ListState;
  loading: boolean;
  sortable: (column: Column) => boolean;
}

/** The rows as a table, sorted by a click on a head. */
function RowTable({ list, columns, rows, cell, link, state, loading, sortable }: RowTableProps) {
  const { t } = useTranslation();
  const { resource, fields, href, rowActions } = list;
  const isNumber = (key: string) => ['decimal', 'integer'].includes(fields[key]?.kind ?? '');
  const orderOf = (key: string) => {
    if (state.sort?.field !== key) return null;
    return state.sort.order === 'desc' ? ('descend' as const) : ('ascend' as const);
  };
  const actions = {
    key: 'actions',
    width: 1,
    fixed: 'end' as const,
    align: 'right' as const,
    title: <span className="sr-only">{t('list.actions')}</span>,
    render: (_: unknown, row: Row) => rowActions?.(row),
  };
  return (
    <Table<Row>
      {...(href ? {} : { components: FOCUSABLE })}
      rowKey="id"
      dataSource={rows}
      pagination={false}
      loading={loading}
      sticky={{ offsetHeader: 0 }}
      scroll={{ x: 'max-content' }}
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
        ...columns.map((column, index) => ({
          key: column.key,
          title: column.title ?? labelOf(resource, column.key),
          align: column.align ?? (isNumber(column.key) ? ('right' as const) : ('left' as const)),
          width: column.width,
          sorter: sortable(column),
          sortOrder: orderOf(column.key),
          render: (_: unknown, row: Row) => (index === 0 ? link(column, row) : cell(column, row)),
        })),
        ...(rowActions ? [actions] : []),
      ]}
    />
  );
}

/** The rows as cards: the first column is the head, up to three more facts below. */
function Cards({
  columns,
  rows,
  cell,
  link,
  resource,
  rowActions,
}: {
  columns: readonly Column[];
  rows: readonly Row[];
  cell: (c: Column, r: Row) => ReactNode;
  link: (c: Column, r: Row) => ReactNode;
  fields: Fields;
  resource: string;
  rowActions?: ((row: Row) => ReactNode) | undefined;
}) {
  const facts = columns
    .slice(1)
    .filter((c) => !c.wideOnly)
    .slice(0, 3);
  return (
    <ul className="list-cards">
      {rows.map((row) => (
        <li key={row.id}>
          <div className="list-card-head">
            {link(columns[0]!, row)}
            {rowActions?.(row)}
          </div>
          <dl>
            {facts.map((column) => (
              <div key={column.key}>
                <dt>{column.title ?? labelOf(resource, column.key)}</dt>
                <dd>{cell(column, row)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

const sortable = (column: Column, fields: Fields, byService: boolean, paged: boolean): boolean =>
  (byService || !paged) &&
  fields[column.key] !== undefined &&
  !['rows', 'ranges', 'refs', 'multiselect'].includes(fields[column.key]!.kind);

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

const describe = (resource: string, fields: Fields, state: ListState, intro: string): string => {
  const described = Object.entries(state.filters).map(([name, values]) => {
    const words = (values ?? []).map((value) => choiceOf(resource, fields, name, value)).filter(Boolean);
    return words.length > 0 ? `${labelOf(resource, name)}: ${words.join(', ')}` : labelOf(resource, name);
  });
  return `${intro} ${[state.search && `„${state.search}”`, ...described].filter(Boolean).join('; ')}`;
};

/** What a filter's value is called; nothing for one that a page has put into the address by itself. */
function choiceOf(resource: string, fields: Fields, name: string, value: string): string {
  const info = fields[name];
  if (info?.kind !== 'switch')
    return info?.options?.includes(value) ? optionLabel(resource, name, value) : '';
  if (name === 'active') return say(value === 'true' ? 'state.active' : 'state.inactive');
  return say(value === 'true' ? 'tri.yes' : 'tri.no');
}

/** A click anywhere in a row opens it, unless it hit something of its own or selects text. */
function openRow(event: React.MouseEvent, props: ResourceListProps, row: Row): void {
  const own = (event.target as HTMLElement).closest('a, button, input, label, [role=switch]');
  const to = props.href?.(row);
  if (own || to === undefined || getSelection()?.toString()) return;
  if (event.ctrlKey || event.metaKey) window.open(to, '_blank', 'noopener');
  else props.onOpen?.(row);
}

/** Up and down walk through the rows' links; Enter on a link is the browser's own. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
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
