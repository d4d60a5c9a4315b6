import { Table, type TableColumnsType } from 'antd';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { type PlainColumn, PlainRows } from '../../lib/crud';
import { useFormat } from '../../lib/format';
import { readKey, useRead } from '../../lib/query';
import { Button } from '../../lib/ui/Button';
import { Card, Chip, PageHeader } from '../../lib/ui/page';
import { CopyButton, EmptyState, Loading, QueryFallback } from '../../lib/ui/states';
import { readUsage } from './api';
import type { KeyResource, Usage } from './types';
import { later } from '../../lib/later';

// The chart library is larger than the rest of the application: only for who looks at it.
const UsageChart = later(() => import('./UsageChart'));

/** All calls of a key go to its restaurants: what follows says which call it was. */
const shortPath = (path: string): string =>
  path.replace(/^\/api\/v\d+\/partners\/[^/]+\/restaurants\/[^/]+/, '…');

type Refusal = Usage['refusals'][number];

/** What became of a key's calls: per day, and why the last ones were refused. */
export function UsagePage({ resource, id, back }: { resource: KeyResource; id: string; back: string }) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const query = useRead(
    readKey(resource === 'api_keys' ? 'apiKeysUsage' : 'partnerApiKeysUsage', id),
    ({ signal }) => readUsage(resource, id, signal),
    { refetchInterval: 30_000 },
  );
  const { name, revoked_at } = query.data ?? {};
  const header = (
    <PageHeader
      title={name ? t('api_keys.usage_of', { name }) : t('api_keys.usage')}
      mark={revoked_at && <Chip tone="error">{t('api_keys.revoked_at', { at: dateTime(revoked_at) })}</Chip>}
      lead={t('api_keys.usage_lead')}
      actions={
        <Link to={back}>
          <Button tabIndex={-1}>{t('api_keys.all')}</Button>
        </Link>
      }
    />
  );
  if (!query.data)
    return (
      <>
        {header}
        <Card>
          <QueryFallback query={query} rows={8} />
        </Card>
      </>
    );
  const { days, refusals } = query.data;
  return (
    <>
      {header}
      <div className="page-cards">
        <Card title={t('api_keys.days')}>
          {days.some((day) => day.calls > 0) ? (
            <Days days={days} />
          ) : (
            <EmptyState title={t('api_keys.unused')} text={t('api_keys.unused_text')} />
          )}
        </Card>
        <Card flush title={t('api_keys.refusals')} className="list-card">
          {refusals.length === 0 ? (
            <EmptyState title={t('api_keys.no_refusals')} text={t('api_keys.no_refusals_text')} />
          ) : (
            <Refusals rows={refusals} />
          )}
        </Card>
      </div>
    </>
  );
}

/** Calls per day, drawn, and as a table below. */
function Days({ days }: { days: Usage['days'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const columns: TableColumnsType<Usage['days'][number]> = [
    {
      key: 'day',
      title: t('api_keys.day'),
      render: (_, row) => <span className="num">{format.day(row.day)}</span>,
    },
    {
      key: 'calls',
      align: 'right',
      title: t('api_keys.calls'),
      render: (_, row) => <span className="num">{format.number(row.calls)}</span>,
    },
    {
      key: 'errors',
      align: 'right',
      title: t('api_keys.errors'),
      render: (_, row) => <span className="num">{format.number(row.errors)}</span>,
    },
  ];
  return (
    <>
      <Suspense fallback={<Loading rows={5} />}>
        <UsageChart days={days} />
      </Suspense>
      <details className="usage-table">
        <summary>{t('api_keys.as_table')}</summary>
        <Table
          rowKey="day"
          size="small"
          pagination={false}
          dataSource={days.filter((day) => day.calls > 0).toReversed()}
          columns={columns}
        />
      </details>
    </>
  );
}

function Refusals({ rows }: { rows: Refusal[] }) {
  return (
    <PlainRows rows={rows} rowKey={(row) => `${row.at}${row.request_id}`} columns={useRefusalColumns()} />
  );
}

function useRefusalColumns(): PlainColumn<Refusal>[] {
  const { t } = useTranslation();
  const format = useFormat();
  return [
    {
      key: 'at',
      title: t('api_keys.at'),
      render: (row) => <span className="num">{format.dateTime(row.at)}</span>,
    },
    {
      key: 'call',
      title: t('api_keys.call'),
      render: (row) => (
        <code className="usage-call" title={`${row.method} ${row.path}`}>
          {row.method} {shortPath(row.path)}
        </code>
      ),
    },
    {
      key: 'code',
      title: t('api_keys.code'),
      render: (row) => (
        <>
          <span className="usage-code">
            <Chip tone={row.status >= 500 ? 'error' : 'warning'}>{row.status}</Chip>{' '}
            <a href={`/api/problems/${encodeURIComponent(row.code)}`} target="_blank" rel="noreferrer">
              {row.code}
            </a>
          </span>
          <span className="usage-detail">{row.detail}</span>
        </>
      ),
    },
    {
      key: 'request_id',
      title: t('api_keys.request_id'),
      render: (row) => (
        <span className="request-id">
          <code>{row.request_id}</code>
          <CopyButton text={row.request_id} label={t('api_keys.copy_request', { id: row.request_id })} />
        </span>
      ),
    },
  ];
}
