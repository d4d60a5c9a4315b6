import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordHistoryProps } from '../../lib/crud/History';
import { Pages } from '../../lib/crud/listParts';
import { useRead } from '../../lib/query';
import { useRestaurantIfAny } from '../../lib/target';
import { EmptyState, QueryFallback } from '../../lib/ui/states';
import { SideDrawer } from '../../lib/ui/SideDrawer';
import '../../lib/crud/form.css';
import { AuditLines } from './AuditLines';
import { type Log, logKey, readLog } from './model';

/** The lines of one record in a drawer over whatever screen shows it. */
export default function RecordHistory({ recordId, name, company = false, onClose }: RecordHistoryProps) {
  const { t } = useTranslation();
  const inside = useRestaurantIfAny() !== undefined;
  const log: Log = !inside ? 'platform_audit' : company ? 'partner_audit' : 'audit';
  const [page, setPage] = useState(1);
  const query = useRead(
    logKey(log, 'record', recordId, page),
    ({ signal }) => readLog(log, { record_id: recordId }, page, signal),
    { placeholderData: (old) => old },
  );
  return (
    <SideDrawer title={t('audit.history_of', { name })} width={720} onClose={onClose}>
      {!query.data ? (
        <QueryFallback query={query} />
      ) : query.data.rows.length === 0 ? (
        <EmptyState title={t('audit.no_history')} />
      ) : (
        <>
          <AuditLines rows={query.data.rows} />
          <Pages page={page} total={query.data.total} onChange={setPage} />
        </>
      )}
    </SideDrawer>
  );
}
