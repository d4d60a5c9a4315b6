import { exportsCreate, exportsList } from '../../generated/client/restaurants/restaurants';
import type { Export } from '../../generated/model';
import { here } from '../../lib/target';
import { defineWork, type Work } from '../../lib/work';
import { mayExport } from './mayExport';

const STATE: Record<Export['status'], Work['state']> = {
  waiting: 'waiting',
  running: 'running',
  ready: 'done',
  failed: 'failed',
};

/** Archives of the whole company. */
export default defineWork<Export>({
  permission: ['full_target_access@partner'],
  may: (me, restaurant) => mayExport(me, restaurant.partner_id),
  call: 'exportsList',
  read: (options) => exportsList(here()[0], options),
  // Rows do not say which person ordered them, only that it was one of the company.
  own: (row) => row.reason === null,
  toWork: (row, { t, format }) => ({
    id: row.id,
    title: t('work_company.title'),
    startedAt: row.created_at,
    state: STATE[row.status],
    ...(row.status === 'ready' && {
      result: row.download_url
        ? {
            text: t('work_company.ready', {
              size: format.size(row.size_bytes),
              at: format.dateTime(row.expires_at),
            }),
            download: row.download_url,
          }
        : { text: t('work_company.over') },
    }),
    ...(row.status === 'failed' && {
      error: t('work_company.failed'),
      retry: { again: () => exportsCreate(here()[0]) },
    }),
  }),
});
