import { exportRequestsCreate, exportRequestsList } from '../../generated/client/orders/orders';
import type { ExportRequest, NewExportRequest } from '../../generated/model';
import { serverNow } from '../../lib/clock';
import { here } from '../../lib/target';
import { defineWork, type Work, type WorkAgain, type WorkLink, type WorkWords } from '../../lib/work';

const STATE: Record<ExportRequest['status'], Work['state']> = {
  waiting: 'waiting',
  running: 'running',
  ready: 'done',
  failed: 'failed',
};

/** Orders, items and guests of a range, and previous orders by a filter: files behind a link sent by mail. */
export default defineWork<ExportRequest>({
  permission: ['order_export', 'customer_export'],
  call: 'exportRequestsList',
  read: (options) => exportRequestsList(...here(), options),
  own: (row, me) => row.actor_name === me.name,
  toWork: (row, words) => ({
    id: row.id,
    title: words.t(`work_export.${row.export_type}`),
    about: rangeOf(row, words),
    startedAt: row.created_at,
    state: STATE[row.status],
    progress: row.progress,
    ...(row.status === 'ready' && { result: { text: resultOf(row, words) } }),
    ...(row.status === 'failed' && { error: words.t('work_export.failed'), retry: retryOf(row, words) }),
  }),
});

function rangeOf(row: ExportRequest, { t, format }: WorkWords): string {
  if (row.export_type === 'order_list_export') return t('work_export.by_filter', { format: row.format });
  return row.from ? `${format.date(row.from)} – ${format.date(row.till)}` : t('work_export.all_time');
}

function resultOf(row: ExportRequest, { t, format }: WorkWords): string {
  if (row.expires_at != null && Date.parse(row.expires_at) <= serverNow()) return t('work_export.over');
  return t('work_export.sent', {
    email: row.export_email,
    rows: format.number(row.row_count),
    size: format.size(row.size_bytes),
    at: format.dateTime(row.expires_at),
  });
}

/** The row of a list by a filter does not say which filter it was. */
function retryOf(row: ExportRequest, { t, url }: WorkWords): WorkAgain | WorkLink {
  const { export_type, export_email, filter_type } = row;
  if (export_type === 'order_list_export')
    return { url: url('previous_orders'), text: t('work_export.to_previous') };
  const what: NewExportRequest = { export_type, export_email, filter_type };
  const body = row.from
    ? { ...what, from: row.from, till: row.till ?? null }
    : { ...what, all_customers: true };
  return {
    again: (pin) => exportRequestsCreate(...here(), body, undefined, pin ? { 'X-Pin': pin } : undefined),
    pin: t('work_export.again', { email: export_email }),
  };
}
