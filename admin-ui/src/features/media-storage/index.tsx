import { AppstoreOutlined, UnorderedListOutlined } from '@ant-design/icons';
import { type CrudFilters, useList } from '@refinedev/core';
import { Checkbox, Segmented } from 'antd';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Image } from '../../generated/model';
import { useCanDo } from '../../lib/access';
import { useListState } from '../../lib/crud';
import { ListFoot, ListSearch } from '../../lib/crud/listParts';
import { PAGE_SIZE } from '../../lib/crud/listProps';
import { useFormat } from '../../lib/format';
import { UploadButton } from '../../lib/media/UploadButton';
import { Uploads } from '../../lib/media/Uploads';
import { useDropAndPaste } from '../../lib/media/useDropAndPaste';
import { useUploads } from '../../lib/media/useUploads';
import { usePage, usePageUrl } from '../../lib/navigation';
import { Card, PageHeader } from '../../lib/ui/page';
import { EmptyState, ErrorState, Loading, NoPermission, NothingMatches } from '../../lib/ui/states';
import { ImageDrawer } from './ImageDrawer';
import '../../lib/crud/list.css';
import '../../lib/media/media.css';
import './media-storage.css';

/** The restaurant's pictures: found, uploaded by dialog, dragging or pasting, opened. */
export default function MediaStorage() {
  const { t } = useTranslation();
  const canDo = useCanDo();
  const { path, open } = usePage();
  const state = useListState(['unused', 'view']);
  const unused = state.filters.unused?.[0] === 'true';
  const asList = state.filters.view?.[0] === 'list';
  const filters: CrudFilters = [
    ...(state.search ? [{ field: 'name', operator: 'contains' as const, value: state.search }] : []),
    ...(unused ? [{ field: 'unused', operator: 'eq' as const, value: 'true' }] : []),
  ];
  const { query, result } = useList<Image>({
    resource: 'images',
    pagination: { currentPage: state.page, pageSize: PAGE_SIZE },
    filters,
    errorNotification: false,
    queryOptions: { placeholderData: (old) => old, enabled: canDo('images', 'list') },
  });
  const mayUpload = canDo('images', 'create');
  const { uploads, add, retry, dismiss } = useUploads({ catalogue: false });
  const take = useCallback((files: File[]) => add(files), [add]);
  const { over, props } = useDropAndPaste(take, mayUpload && path[0] === undefined);
  const { number } = useFormat();
  const total = result.total ?? 0;
  const rows = result.data;
  const upload = mayUpload && <UploadButton primary many label={t('images.new')} onFiles={take} />;

  let body;
  if (!canDo('images', 'list')) body = <NoPermission />;
  else if (query.isError && !query.data)
    body = <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  else if (query.isLoading) body = <Loading rows={8} />;
  else if (total === 0 && (state.search || unused)) body = <NothingMatches onClear={state.clear} />;
  else if (total === 0)
    body = (
      <EmptyState title={t('images.empty_title')} text={t('images.empty')} actions={upload || undefined} />
    );
  else body = asList ? <Rows rows={rows} /> : <Grid rows={rows} />;

  return (
    <>
      <PageHeader lead={t('images.lead')} actions={(total > 0 || state.filtered) && upload} />
      <Card flush className="list-card media-drop">
        <div {...props}>
          {over && <div className="media-over">{t('media.drop')}</div>}
          <Tools state={state} unused={unused} asList={asList} />
          <Uploads uploads={uploads} onRetry={retry} onDismiss={dismiss} />
          <div aria-busy={query.isFetching} className="media-body">
            {body}
          </div>
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
      {path[0] !== undefined && <ImageDrawer key={path[0]} id={path[0]} onClose={() => void open()} />}
    </>
  );
}

function Tools({
  state,
  unused,
  asList,
}: {
  state: ReturnType<typeof useListState>;
  unused: boolean;
  asList: boolean;
}) {
  const { t } = useTranslation();
  return (
    <div className="list-tools" role="search">
      <ListSearch state={state} />
      <Checkbox
        className="target"
        checked={unused}
        onChange={(event) => state.set({ filters: { unused: event.target.checked ? ['true'] : undefined } })}
      >
        {t('images.unused')}
      </Checkbox>
      <span className="media-gap" />
      <Segmented
        aria-label={t('images.view')}
        value={asList ? 'list' : 'grid'}
        onChange={(value) =>
          state.set({ filters: { view: value === 'list' ? ['list'] : undefined }, page: state.page })
        }
        options={[
          { value: 'grid', icon: <AppstoreOutlined aria-hidden />, label: t('images.view_grid') },
          { value: 'list', icon: <UnorderedListOutlined aria-hidden />, label: t('images.view_list') },
        ]}
      />
    </div>
  );
}

/** How many places show it, in words. */
function useUsageText() {
  const { t } = useTranslation();
  return (image: Image) =>
    image.used_by.length === 0
      ? t('images.used_nowhere')
      : t('images.used_times', { count: image.used_by.length });
}

function Grid({ rows }: { rows: readonly Image[] }) {
  const url = usePageUrl();
  const used = useUsageText();
  return (
    <ul className="media-grid">
      {rows.map((image) => (
        <li key={image.id}>
          <Link
            className="media-tile"
            to={{ pathname: url('media_storage', image.id), search: location.search }}
          >
            <img className="media-picture" src={image.image.small} alt="" loading="lazy" />
            <span className="media-text">
              <span className="media-name">{image.name}</span>
              <span className="media-facts">{used(image)}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Rows({ rows }: { rows: readonly Image[] }) {
  const url = usePageUrl();
  const used = useUsageText();
  const format = useFormat();
  return (
    <ul className="media-rows">
      {rows.map((image) => (
        <li key={image.id}>
          <Link
            className="media-row"
            to={{ pathname: url('media_storage', image.id), search: location.search }}
          >
            <img className="media-row-picture" src={image.image.small} alt="" loading="lazy" />
            <span className="media-name">{image.name}</span>
            <span className="media-facts">{used(image)}</span>
            <span className="media-facts num">
              {image.width} × {image.height}
            </span>
            <span className="media-facts num">{format.dateTime(image.created_at)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
