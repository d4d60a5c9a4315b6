import { menuImportsList } from '../../generated/client/catalogue/catalogue';
import type { MenuImport } from '../../generated/model';
import { here } from '../../lib/target';
import { defineWork, type Work } from '../../lib/work';

const STATE: Record<MenuImport['status'], Work['state']> = {
  waiting: 'waiting',
  reading: 'running',
  ready: 'done',
  failed: 'failed',
  applied: 'done',
  undone: 'done',
};

/** Menus from spreadsheets. The rehearsal is the work; what becomes of it is decided on the import's page. */
export default defineWork<MenuImport>({
  permission: ['catalog_edit'],
  call: 'menuImportsList',
  read: (options) => menuImportsList(...here(), options),
  own: (row, me) => row.actor_name === me.name,
  toWork: (row, { t, url }) => ({
    id: row.id,
    title: t('work_import.title'),
    about: row.file_name,
    startedAt: row.created_at,
    state: STATE[row.status],
    progress: row.progress,
    ...(STATE[row.status] === 'done' && {
      result: {
        text: t(`work_import.${row.status}`),
        to: {
          url: url('menu_import', row.id),
          text: t(row.status === 'ready' ? 'work_import.go_on' : 'work_import.open'),
        },
      },
    }),
    ...(row.status === 'failed' && {
      error: t(`menu_imports.error.${row.error ?? 'broken'}`),
      // The same file would fail again.
      retry: { url: url('menu_import'), text: t('work_import.another') },
    }),
  }),
});
