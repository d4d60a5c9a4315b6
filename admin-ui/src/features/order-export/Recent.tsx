import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ExportRequest } from '../../generated/model';
import { useMe } from '../../lib/me';
import { readKey, useRead } from '../../lib/query';
import { Card } from '../../lib/ui/page';
import { QueryFallback } from '../../lib/ui/states';
import { isUnderWay } from '../../lib/work';
import { useWords } from '../long-work/useWords';
import { WorkRow } from '../long-work/WorkRow';
import type { Kind } from './model';
import source from './work';

const WATCH_MS = 2500;

/** The last exports of these kinds. The tray watches the own ones, in the same cache; here those of others. */
export function useRequests(kinds: readonly Kind[]) {
  const me = useMe();
  const words = useWords();
  const othersUnderWay = (row: ExportRequest) =>
    !source.own(row, me) && isUnderWay(source.toWork(row, words));
  return useRead(readKey(source.call), ({ signal }) => source.read({ signal }), {
    refetchInterval: ({ state }) => (state.data?.some(othersUnderWay) ? WATCH_MS : false),
    select: (rows) => rows.filter((row) => kinds.some((kind) => kind === row.export_type)),
  });
}

export function Recent({ requests }: { requests: UseQueryResult<ExportRequest[]> }) {
  const { t } = useTranslation();
  const words = useWords();
  if (!requests.data)
    return (
      <Card>
        <QueryFallback query={requests} rows={3} />
      </Card>
    );
  if (requests.data.length === 0) return null;
  return (
    <Card title={t('export_requests.recent')}>
      <ul className="works works-wide">
        {requests.data.map((row) => (
          <WorkRow key={row.id} work={source.toWork(row, words)} more={row.actor_name} />
        ))}
      </ul>
    </Card>
  );
}
