import { Alert } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format';
import { readKey, useRead } from '../query';
import { Button } from '../ui/Button';
import type { DraftForm } from './useDraftForm';
import { versionOf } from './useRow';

/** Asks who has changed a row last, and when. */
export type WhoChanged = (id: string) => Promise<{ changed_by: string; changed_at: string }>;

/**
 * Says that somebody else has saved the row that is open. What is being edited stays until the user takes the newer
 * row; where nothing is, it is shown already.
 */
export function ChangedMeanwhile<R, D extends object>({
  form,
  whoChanged,
}: {
  form: Pick<DraftForm<R, D>, 'newer' | 'replaced' | 'discard'>;
  whoChanged: WhoChanged;
}) {
  const { t } = useTranslation();
  const { time } = useFormat();
  const row = (form.newer ?? form.replaced) as { id: string; version: number } | undefined;
  const [seen, setSeen] = useState<number>();
  const who = useRead(readKey('catalogueChangesGet', row?.id, row?.version), () => whoChanged(row!.id), {
    enabled: row !== undefined,
    staleTime: Infinity,
    retry: false,
  });
  if (!row || (!form.newer && seen === versionOf(row))) return null;
  // Not before it is known who it was, or that it is not.
  if (who.isPending) return null;
  const by = who.data && { name: who.data.changed_by, at: time(who.data.changed_at) };
  const meanwhile = by ? t('changed.meanwhile_by', by) : t('changed.meanwhile');
  const shown = by ? t('changed.shown_by', by) : t('changed.shown');
  return (
    <Alert
      className="page-alert"
      type={form.newer ? 'warning' : 'info'}
      showIcon
      role="status"
      title={form.newer ? meanwhile : shown}
      description={form.newer && t('changed.help')}
      action={
        form.newer ? (
          <Button onClick={form.discard}>{t('changed.reload')}</Button>
        ) : (
          <Button onClick={() => setSeen(versionOf(row))}>{t('action.close')}</Button>
        )
      }
    />
  );
}
