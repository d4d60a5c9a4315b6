import { WarningOutlined } from '@ant-design/icons';
import { keepPreviousData } from '@tanstack/react-query';
import { Alert, Radio } from 'antd';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { operatingGet } from '../../generated/client/platform/platform';
import type {
  JobFailure,
  OperationLoad,
  Operating,
  PartnerLoad,
  ServiceInstance,
} from '../../generated/model';
import { type PlainColumn, PlainRows } from '../../lib/crud';
import { useFormat } from '../../lib/format';
import { usePageUrl } from '../../lib/navigation';
import { readKey, useRead } from '../../lib/query';
import { Card, Chip, PageHeader } from '../../lib/ui/page';
import { EmptyState, QueryFallback } from '../../lib/ui/states';
import './operating.css';

/** As often as instances write. ms */
const REFRESH_MS = 10_000;
const SPANS = [5, 15, 60] as const;
const USUAL = 15;

/** Instances, what waits and what failed, what is slow, and who causes load. */
export default function OperatingScreen() {
  const { t } = useTranslation();
  const { time } = useFormat();
  const [params, setParams] = useSearchParams();
  const asked = Number(params.get('minutes'));
  const minutes = SPANS.find((one) => one === asked) ?? USUAL;
  const query = useRead(
    readKey('operatingGet', minutes),
    ({ signal }) => operatingGet({ minutes }, { signal }),
    {
      refetchInterval: REFRESH_MS,
      placeholderData: keepPreviousData,
    },
  );
  return (
    <>
      <PageHeader
        lead={t('operating.lead')}
        actions={
          <Radio.Group
            aria-label={t('operating.span')}
            optionType="button"
            value={minutes}
            onChange={({ target }) => setParams({ minutes: String(target.value) }, { replace: true })}
            options={SPANS.map((one) => ({ value: one, label: t('operating.minutes', { count: one }) }))}
          />
        }
      />
      {query.data && query.isError && (
        <Alert
          type="warning"
          showIcon
          title={t('operating.old', { time: time(new Date(query.dataUpdatedAt)) })}
          style={{ marginBottom: 16 }}
        />
      )}
      {query.data ? (
        <Found found={query.data} />
      ) : (
        <Card>
          <QueryFallback query={query} rows={8} />
        </Card>
      )}
    </>
  );
}

function Found({ found }: { found: Operating }) {
  const { t } = useTranslation();
  return (
    <div className="page-cards operating">
      <Card title={t('operating.backlog')}>
        <Backlog found={found} />
      </Card>
      <Card flush title={t('operating.instances')} className="list-card">
        <Instances rows={found.instances} />
      </Card>
      <Card flush title={t('operating.failures')} className="list-card">
        {found.failures.length === 0 ? (
          <EmptyState title={t('operating.no_failures')} text={t('operating.no_failures_text')} />
        ) : (
          <Failures rows={found.failures} />
        )}
      </Card>
      <Card flush title={t('operating.slowest')} className="list-card">
        {found.slowest.length === 0 ? (
          <EmptyState title={t('operating.no_load')} text={t('operating.no_slowest_text')} />
        ) : (
          <Slowest rows={found.slowest} />
        )}
      </Card>
      <Card flush title={t('operating.partners')} className="list-card">
        {found.partners.length === 0 ? (
          <EmptyState title={t('operating.no_load')} text={t('operating.no_partners_text')} />
        ) : (
          <Partners rows={found.partners} />
        )}
      </Card>
    </div>
  );
}

function Backlog({ found: { backlog, instances } }: { found: Operating }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const url = usePageUrl();
  const alive = instances.filter((one) => one.alive);
  const figures = [
    { key: 'alive', value: number(alive.length), bad: !alive.some((one) => one.ready) },
    { key: 'waiting', value: number(backlog.waiting), to: `${url('jobs')}?state=waiting&due=true` },
    {
      key: 'lag',
      value: t('operating.seconds', { count: backlog.lag_seconds }),
      bad: backlog.lag_seconds > 60,
    },
    { key: 'dead', value: number(backlog.dead), bad: backlog.dead > 0, to: `${url('jobs')}?state=failed` },
    {
      key: 'maintenance',
      value: number(backlog.maintenance),
      bad: backlog.maintenance > 0,
      to: `${url('partners')}?status=maintenance`,
    },
  ];
  return (
    <dl className="operating-figures">
      {figures.map(({ key, value, bad, to }) => (
        <div key={key} className={bad ? 'operating-bad' : undefined}>
          <dt>{t(`operating.figure.${key}`)}</dt>
          <dd className="num">
            {bad && <WarningOutlined aria-label={t('operating.bad')} />}
            {to ? (
              <Link className="target" to={to} aria-label={`${t(`operating.figure.${key}`)}: ${value}`}>
                {value}
              </Link>
            ) : (
              value
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What most operations have in common says nothing about them. */
const shortPath = (operation: string): string =>
  operation.replace(/ \/api\/v3\/(admin\/)?partners\/\{[^}]+\}(\/restaurants\/\{[^}]+\})?/, ' …');

const right = (text: string) => <span className="num">{text}</span>;

function Instances({ rows }: { rows: ServiceInstance[] }) {
  const { t } = useTranslation();
  const { dateTime, number } = useFormat();
  // Several releases at once are seen at a glance.
  const newest = rows.filter((row) => row.alive).map((row) => row.version)[0];
  const columns: PlainColumn<ServiceInstance>[] = [
    {
      key: 'part',
      title: t('operating.part'),
      render: (row) => (
        <span className="operating-part">
          {t(`operating.part.${row.part}`)} <code>{row.id.slice(-6)}</code>
        </span>
      ),
    },
    {
      key: 'state',
      title: t('operating.state'),
      render: (row) => {
        const state = !row.alive ? 'away' : row.ready ? 'ready' : 'not_ready';
        const tone = { away: 'neutral', ready: 'success', not_ready: 'warning' } as const;
        return <Chip tone={tone[state]}>{t(`operating.state.${state}`)}</Chip>;
      },
    },
    {
      key: 'version',
      title: t('operating.version'),
      render: (row) =>
        row.alive && row.version !== newest ? <Chip tone="warning">{row.version}</Chip> : row.version,
    },
    { key: 'started_at', title: t('operating.started_at'), render: (row) => right(dateTime(row.started_at)) },
    {
      key: 'memory_mb',
      wideOnly: true,
      title: t('operating.memory_mb'),
      render: (row) => right(number(row.memory_mb)),
    },
    {
      key: 'connections',
      title: t('operating.connections'),
      render: (row) => right(t('operating.used_waiting', { used: row.connections, waiting: row.waiting })),
    },
    {
      key: 'windows',
      wideOnly: true,
      title: t('operating.windows'),
      render: (row) => right(number(row.windows)),
    },
  ];
  return <PlainRows rows={rows} rowKey={(row) => row.id} columns={columns} />;
}

function Failures({ rows }: { rows: JobFailure[] }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const { dateTime, number } = useFormat();
  const columns: PlainColumn<JobFailure>[] = [
    {
      key: 'kind',
      title: t('operating.kind'),
      render: ({ kind, dead }) => (
        <Link className="target" to={`${url('jobs')}?state=${dead > 0 ? 'failed' : 'waiting'}&kind=${kind}`}>
          {i18next.exists(`jobs.kind.${kind}`) ? t(`jobs.kind.${kind}`) : kind}
        </Link>
      ),
    },
    { key: 'dead', title: t('operating.dead'), render: (row) => right(number(row.dead)) },
    { key: 'repeated', title: t('operating.repeated'), render: (row) => right(number(row.repeated)) },
    { key: 'since', title: t('operating.since'), render: (row) => right(dateTime(row.since)) },
    {
      key: 'last_error',
      title: t('operating.last_error'),
      render: (row) => (
        <span className="operating-error" title={row.last_error ?? undefined}>
          {row.last_error}
        </span>
      ),
    },
  ];
  return <PlainRows rows={rows} rowKey={(row) => row.kind} columns={columns} />;
}

function Slowest({ rows }: { rows: OperationLoad[] }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const columns: PlainColumn<OperationLoad>[] = [
    {
      key: 'operation',
      title: t('operating.operation'),
      render: ({ operation }) => (
        <code className="operating-path" title={operation}>
          {shortPath(operation)}
        </code>
      ),
    },
    { key: 'mean_ms', title: t('operating.mean_ms'), render: (row) => right(number(row.mean_ms)) },
    { key: 'worst_ms', title: t('operating.worst_ms'), render: (row) => right(number(row.worst_ms)) },
    { key: 'requests', title: t('operating.requests'), render: (row) => right(number(row.requests)) },
    { key: 'failed', title: t('operating.failed'), render: (row) => right(number(row.failed)) },
  ];
  return <PlainRows rows={rows} rowKey={(row) => row.operation} columns={columns} />;
}

function Partners({ rows }: { rows: PartnerLoad[] }) {
  const { t } = useTranslation();
  const { number, percent } = useFormat();
  const url = usePageUrl();
  const columns: PlainColumn<PartnerLoad>[] = [
    {
      key: 'partner',
      title: t('operating.partner'),
      render: (row) => (
        <Link className="target" to={url('partner_page', row.partner_id)}>
          {row.partner_name}
        </Link>
      ),
    },
    { key: 'share', title: t('operating.share'), render: (row) => right(percent(row.share)) },
    { key: 'requests', title: t('operating.requests'), render: (row) => right(number(row.requests)) },
    { key: 'failed', title: t('operating.failed'), render: (row) => right(number(row.failed)) },
    {
      key: 'total_ms',
      title: t('operating.total'),
      render: (row) => right(t('operating.seconds', { count: Math.round(row.total_ms / 1000) })),
    },
  ];
  return <PlainRows rows={rows} rowKey={(row) => row.partner_id} columns={columns} />;
}
