import { useQuery } from '@tanstack/react-query';
import { Segmented, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { myReleaseInfosList } from '../../generated/client/session/session';
import { ReleaseType } from '../../generated/model';
import { useListState } from '../../lib/crud';
import { useFormat } from '../../lib/format';
import { useNarrow } from '../../lib/hooks';
import { usePage, usePageUrl } from '../../lib/navigation';
import { Html } from '../../lib/ui/Html';
import { Card, Chip, PageHeader } from '../../lib/ui/page';
import { EmptyState, ErrorState, Loading, NothingMatches } from '../../lib/ui/states';
import './release-info.css';

/** What was released, by type, and what it brought. */
export default function ReleaseInfo() {
  const { t, i18n } = useTranslation();
  const { path, open } = usePage();
  const url = usePageUrl();
  const { dateTime } = useFormat();
  const narrow = useNarrow();
  const state = useListState(['type']);
  const type = state.filters.type?.[0];
  const query = useQuery({ queryKey: ['release-infos', i18n.language], queryFn: () => myReleaseInfosList() });

  const all = query.data ?? [];
  const rows = all.filter((row) => !type || row.release_type === type);
  const chosen = rows.find((row) => row.id === path[0]) ?? (narrow ? undefined : rows[0]);
  const options = [
    { value: '', label: t('release_info.all') },
    ...Object.values(ReleaseType).map((value) => ({
      value: value as string,
      label: t(`release_info.type.${value}`),
    })),
  ];
  const filter = (value: string) => state.set({ filters: { type: value ? [value] : undefined } });

  const body = () => {
    if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
    if (query.isPending) return <Loading />;
    if (all.length === 0)
      return <EmptyState title={t('release_info.empty_title')} text={t('release_info.empty')} />;
    if (rows.length === 0) return <NothingMatches onClear={() => filter('')} />;
    return (
      <div className="releases" data-chosen={chosen !== undefined}>
        <Card flush className="release-list">
          <ul>
            {rows.map((row) => (
              <li key={row.id}>
                <Link
                  to={url('release_info', row.id) + location.search}
                  aria-current={row.id === chosen?.id ? 'true' : undefined}
                >
                  <span className="release-line">
                    <b>{row.version_code}</b>
                    <Chip>{t(`release_info.type.${row.release_type}`)}</Chip>
                    {row.is_news && <Chip tone="info">{t('release_info.news')}</Chip>}
                  </span>
                  <span className="release-points">
                    {row.bullet_points.map((point) => point.title).join(' · ')}
                  </span>
                  <time dateTime={row.release_at}>{dateTime(row.release_at)}</time>
                </Link>
              </li>
            ))}
          </ul>
        </Card>
        {chosen && (
          <Card className="release-detail">
            <header>
              <h2>{t('release_info.version', { version: chosen.version_code })}</h2>
              <p>
                {t(`release_info.type.${chosen.release_type}`)} ·{' '}
                <time dateTime={chosen.release_at}>{dateTime(chosen.release_at)}</time>
              </p>
            </header>
            {chosen.bullet_points.map((point, index) => (
              <article key={index}>
                <h3>{point.title}</h3>
                <Html text={point.description} />
              </article>
            ))}
            {narrow && (
              <button type="button" className="release-back" onClick={() => open()}>
                {t('release_info.back')}
              </button>
            )}
          </Card>
        )}
      </div>
    );
  };
  return (
    <>
      <PageHeader lead={t('release_info.lead')} />
      {all.length > 0 && (
        <div className="release-filter">
          {narrow ? (
            <Select
              aria-label={t('release_info.filter')}
              value={type ?? ''}
              options={options}
              onChange={filter}
            />
          ) : (
            <Segmented
              aria-label={t('release_info.filter')}
              value={type ?? ''}
              options={options}
              onChange={filter}
            />
          )}
        </div>
      )}
      {body()}
    </>
  );
}
