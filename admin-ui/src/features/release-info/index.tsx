import { Segmented, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { myReleaseInfosList } from '../../generated/client/session/session';
import { type MyReleaseInfo, ReleaseType } from '../../generated/model';
import { useListState } from '../../lib/crud';
import { useFormat } from '../../lib/format';
import { useNarrow } from '../../lib/hooks';
import { usePage, usePageUrl } from '../../lib/navigation';
import { readKey, useRead } from '../../lib/query';
import { Html } from '../../lib/ui/Html';
import { Card, Chip, PageHeader } from '../../lib/ui/page';
import { EmptyState, ErrorState, Loading, NothingMatches } from '../../lib/ui/states';
import './release-info.css';

/** The release notes by type, with their texts. */
export default function ReleaseInfo() {
  const { t, i18n } = useTranslation();
  const { path, open } = usePage();
  const narrow = useNarrow();
  const state = useListState(['type']);
  const type = state.filters.type?.[0];
  const query = useRead(readKey('myReleaseInfosList', i18n.language), () => myReleaseInfosList());

  const all = query.data ?? [];
  const rows = all.filter((row) => !type || row.release_type === type);
  const chosen = rows.find((row) => row.id === path[0]) ?? (narrow ? undefined : rows[0]);
  const filter = (value: string) => state.set({ filters: { type: value ? [value] : undefined } });

  const body = () => {
    if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
    if (query.isPending) return <Loading />;
    if (all.length === 0)
      return <EmptyState title={t('release_info.empty_title')} text={t('release_info.empty')} />;
    if (rows.length === 0) return <NothingMatches onClear={() => filter('')} />;
    return (
      <div className="releases" data-chosen={chosen !== undefined}>
        <ReleaseList rows={rows} chosen={chosen?.id} />
        {chosen && <ReleaseDetail release={chosen} {...(narrow ? { onBack: () => open() } : {})} />}
      </div>
    );
  };
  return (
    <>
      <PageHeader lead={t('release_info.lead')} />
      {all.length > 0 && <TypeFilter value={type ?? ''} onChange={filter} />}
      {body()}
    </>
  );
}

function TypeFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation();
  const narrow = useNarrow();
  const options = [
    { value: '', label: t('release_info.all') },
    ...Object.values(ReleaseType).map((type) => ({
      value: type as string,
      label: t(`release_info.type.${type}`),
    })),
  ];
  return (
    <div className="release-filter">
      {narrow ? (
        <Select aria-label={t('release_info.filter')} value={value} options={options} onChange={onChange} />
      ) : (
        <Segmented
          aria-label={t('release_info.filter')}
          value={value}
          options={options}
          onChange={onChange}
        />
      )}
    </div>
  );
}

function ReleaseList({ rows, chosen }: { rows: MyReleaseInfo[]; chosen: string | undefined }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const { dateTime } = useFormat();
  return (
    <Card flush className="release-list">
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <Link
              to={url('release_info', row.id) + location.search}
              aria-current={row.id === chosen ? 'true' : undefined}
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
  );
}

/** The content of the release. `onBack`: it stands alone, in the place of the list. */
function ReleaseDetail({ release, onBack }: { release: MyReleaseInfo; onBack?: () => void }) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  return (
    <Card className="release-detail">
      <header>
        <h2>{t('release_info.version', { version: release.version_code })}</h2>
        <p>
          {t(`release_info.type.${release.release_type}`)} ·{' '}
          <time dateTime={release.release_at}>{dateTime(release.release_at)}</time>
        </p>
      </header>
      {release.bullet_points.map((point, index) => (
        <article key={index}>
          <h3>{point.title}</h3>
          <Html text={point.description} />
        </article>
      ))}
      {onBack && (
        <button type="button" className="release-back" onClick={onBack}>
          {t('release_info.back')}
        </button>
      )}
    </Card>
  );
}
