import { CheckCircleOutlined, ClockCircleOutlined, SyncOutlined } from '@ant-design/icons';
import type { UseQueryResult } from '@tanstack/react-query';
import { Progress } from 'antd';
import { useTranslation } from 'react-i18next';
import { exportRequestsList } from '../../generated/client/orders/orders';
import { useRead } from '../../lib/query';
import { here } from '../../lib/target';
import type { ExportRequest } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { useNow } from '../../lib/hooks';
import type { Kind } from './model';
import { Card, Chip } from '../../lib/ui/page';
import { QueryFallback } from '../../lib/ui/states';

const POLL_MS = 1000;
const under = (row: ExportRequest) => row.status === 'waiting' || row.status === 'running';

/** The last exports of these kinds; read again while one of them is being made. */
export function useRequests(kinds: readonly Kind[]) {
  return useRead('exportRequestsList', () => exportRequestsList(...here()), {
    refetchInterval: ({ state }) => (state.data?.some(under) ? POLL_MS : false),
    select: (rows) => rows.filter((row) => kinds.some((kind) => kind === row.export_type)),
  });
}

export function Recent({ requests }: { requests: UseQueryResult<ExportRequest[]> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow(60_000);
  // Its link has expired.
  const over = (row: ExportRequest) =>
    row.status === 'ready' && row.expires_at != null && Date.parse(row.expires_at) <= now;
  if (!requests.data)
    return (
      <Card>
        <QueryFallback query={requests} rows={3} />
      </Card>
    );
  if (requests.data.length === 0) return null;
  return (
    <Card title={t('export_requests.recent')}>
      <ul className="export-recent">
        {requests.data.map((row) => (
          <li key={row.id}>
            <span className="export-what">
              <strong>{t(`export_requests.export_type.${row.export_type}`)}</strong>
              <span>
                {row.from
                  ? `${format.date(row.from)} – ${format.date(row.till)}`
                  : t('export_requests.all_time')}
              </span>
            </span>
            <span className="export-to">
              {row.export_email}
              <span className="num">
                {format.dateTime(row.created_at)} · {row.actor_name}
              </span>
            </span>
            {under(row) && <Progress percent={row.progress} aria-label={t('export_requests.making')} />}
            {over(row) && <Chip icon={<ClockCircleOutlined aria-hidden />}>{t('export_requests.over')}</Chip>}
            {row.status === 'ready' && !over(row) && (
              <span className="export-done">
                <Chip tone="success" icon={<CheckCircleOutlined />}>
                  {t('export_requests.ready')}
                </Chip>
                <span className="num">
                  {t('export_requests.rows', {
                    rows: format.number(row.row_count),
                    size: format.size(row.size_bytes),
                  })}
                </span>
                <span>
                  <ClockCircleOutlined aria-hidden />{' '}
                  {t('export_requests.until', { at: format.dateTime(row.expires_at) })}
                </span>
              </span>
            )}
            {row.status === 'failed' && (
              <Chip tone="warning" icon={<SyncOutlined />}>
                {t('export_requests.failed')}
              </Chip>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
