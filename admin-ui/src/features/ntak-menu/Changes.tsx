import { useTranslation } from 'react-i18next';
import type { NtakChangeDone } from '../../generated/model';
import { PlainRows } from '../../lib/crud';
import { useFormat } from '../../lib/format';
import { ApiError } from '../../lib/http';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Card, Chip } from '../../lib/ui/page';
import { ProblemAlert } from '../../lib/ui/states';
import { useInlineWork } from '../../lib/ui/work';
import { useChangeCalls, useChanges } from './api';

/** The latest changes of many rows; each can be undone for a day. Nothing is shown without any. */
export function Changes() {
  const { t } = useTranslation();
  const format = useFormat();
  const notify = useNotify();
  const calls = useChangeCalls();
  const changes = useChanges();
  const { busy, error, dismiss, work } = useInlineWork();
  if (!changes.data?.length) return null;
  const undo = async (row: NtakChangeDone) => {
    const confirmed = await notify.confirm({
      title: t('ntak_menu.undo_title'),
      effect: t('ntak_menu.undo_effect'),
      verb: t('ntak_menu.undo'),
    });
    if (confirmed && (await work(() => calls.undo(row.id)))) notify.success(t('ntak_menu.undone'));
  };
  const since = error instanceof ApiError ? error.problem.changed : undefined;
  return (
    <Card flush className="list-card" title={t('ntak_menu.changes')}>
      {error !== undefined && (
        <ProblemAlert
          error={error}
          onClose={dismiss}
          extra={Array.isArray(since) ? <p>{since.join(', ')}</p> : undefined}
        />
      )}
      <PlainRows
        rows={changes.data}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'created_at',
            title: t('ntak_menu.when'),
            render: (row) => <span className="num">{format.dateTime(row.created_at)}</span>,
          },
          { key: 'actor_name', title: t('ntak_menu.who'), render: (row) => row.actor_name },
          {
            key: 'rows',
            title: t('ntak_menu.what'),
            render: (row) =>
              t('ntak_menu.counts', {
                categories: format.number(row.categories),
                products: format.number(row.products),
                subproducts: format.number(row.subproducts),
              }),
          },
        ]}
        rowActions={(row) =>
          row.undone_at ? (
            <Chip>{t('ntak_menu.was_undone')}</Chip>
          ) : row.undo_until ? (
            <Button disabled={busy} onClick={() => void undo(row)}>
              {t('ntak_menu.undo')}
            </Button>
          ) : null
        }
      />
    </Card>
  );
}
