import { OrderedListOutlined, PlusOutlined } from '@ant-design/icons';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCanDo } from '../access';
import { useFormat } from '../format';
import { later } from '../later';
import { Button } from '../ui/Button';
import { Card, PageHeader } from '../ui/page';
import { EmptyState, ErrorState, Loading, NoPermission, NothingMatches } from '../ui/states';
import { ListFoot } from './listParts';
import type { ResourceListProps } from './listProps';
import { describeFilters, ListTools } from './ListTools';
import { moveBetweenRows, plainName, ResourceRows } from './ResourceRows';
import { type ListState, useListState } from './useListState';
import type { Row } from './useResourceForm';
import { type Rows, useRows } from './useRows';
import './list.css';

const RankList = later(() => import('./RankList'));

/**
 * A list from the document: pages of 40 with the total, search, filters and sort in the URL, the four empty
 * states, rows as links (arrows and Enter), cards below 768 px, sorting by hand where the resource has a
 * ranking.
 */
export function ResourceList<R = Row>(typed: ResourceListProps<R>) {
  // Inside, rows are read by the names of their fields.
  const props = typed as unknown as ResourceListProps;
  const { resource, filters = [] } = props;
  const mayList = useCanDo()(resource, 'list');
  const state = useListState(filters);
  const rows = useRows(props, state);
  const [ranking, setRanking] = useState(false);
  return (
    <>
      <Head list={props} rows={rows} state={state} ranking={ranking} onRank={() => setRanking(true)} />
      {props.notice}
      <Card flush className="list-card">
        {!ranking && (rows.searchable || filters.length > 0) && mayList && (
          <ListTools list={props} search={rows.searchable} state={state} />
        )}
        <div onKeyDown={moveBetweenRows} aria-busy={rows.query.isFetching}>
          {ranking && mayList ? (
            <Suspense fallback={<Loading />}>
              <RankList
                resource={resource}
                rows={rows.all}
                nameOf={props.nameOf ?? plainName}
                params={props.params}
                onDone={() => setRanking(false)}
              />
            </Suspense>
          ) : (
            <Body list={props} rows={rows} state={state} />
          )}
        </div>
        {!ranking && rows.total > 0 && <Foot rows={rows} state={state} />}
      </Card>
    </>
  );
}

interface PartProps {
  list: ResourceListProps;
  rows: Rows;
  state: ListState;
}

/** The button for a new row, where that is allowed. */
function useNewButton({ resource, onNew }: ResourceListProps) {
  const { t } = useTranslation();
  const canDo = useCanDo();
  return (
    onNew &&
    canDo(resource, 'create') && (
      <Button type="primary" icon={<PlusOutlined />} onClick={onNew}>
        {t(`${resource}.new`)}
      </Button>
    )
  );
}

function Head({ list, rows, state, ranking, onRank }: PartProps & { ranking: boolean; onRank: () => void }) {
  const { t } = useTranslation();
  const newButton = useNewButton(list);
  return (
    <PageHeader
      title={list.title}
      lead={list.lead}
      actions={
        <>
          {list.actions}
          {rows.mayRank && !ranking && (
            <Button icon={<OrderedListOutlined />} onClick={onRank}>
              {t('list.sort')}
            </Button>
          )}
          {!ranking && (rows.total > 0 || state.filtered || rows.query.isLoading) && newButton}
        </>
      }
    />
  );
}

/** The rows, or why there are none. */
function Body({ list, rows, state }: PartProps) {
  const { t } = useTranslation();
  const canDo = useCanDo();
  const newButton = useNewButton(list);
  const { query, total } = rows;
  if (!canDo(list.resource, 'list')) return <NoPermission />;
  if (query.isError && !query.data)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (query.isLoading) return <Loading rows={8} />;
  if (total > 0) return <ResourceRows list={list} rows={rows} state={state} />;
  if (state.filtered) return <NothingMatches onClear={state.clear} filters={describeFilters(list, state)} />;
  return (
    <EmptyState
      title={t(`${list.resource}.empty_title`)}
      text={t(`${list.resource}.empty`)}
      actions={newButton || undefined}
    />
  );
}

function Foot({ rows: { query, total, beyond }, state }: Omit<PartProps, 'list'>) {
  const { t } = useTranslation();
  const { number } = useFormat();
  return (
    <ListFoot
      state={state}
      total={total}
      stale={query.isPlaceholderData}
      text={
        beyond > 0
          ? t('list.total_beyond', { total: number(total + beyond), shown: number(total) })
          : t('list.total', { total: number(total) })
      }
    />
  );
}
