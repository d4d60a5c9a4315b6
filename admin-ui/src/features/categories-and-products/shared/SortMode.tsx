import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHotkey } from '../../../lib/hooks';
import { Button } from '../../../lib/ui/Button';
import { useNotify } from '../../../lib/ui/notify';
import { useUnsaved } from '../../../lib/form/unsaved';
import { useRefreshCatalogue } from './api';
import { same } from '../../../lib/form/body';
import { SortRows } from './SortRows';

export interface SortModeProps<T extends { id: string }> {
  rows: readonly T[];
  nameOf: (row: T) => string;
  children: (row: T) => ReactNode;
  /** One call with the whole order. */
  send: (ids: string[]) => Promise<unknown>;
  /** Sorting is over. */
  onDone: () => void;
}

/** A list while it is sorted: no filters, no editing; leaving saves the order, which can be taken back. */
export default function SortMode<T extends { id: string }>({
  rows,
  nameOf,
  children,
  send,
  onDone,
}: SortModeProps<T>) {
  const { t } = useTranslation();
  const notify = useNotify();
  const refresh = useRefreshCatalogue();
  const [order, setOrder] = useState<readonly T[]>(rows);
  const [before] = useState(() => rows.map((row) => row.id));
  const [saving, setSaving] = useState(false);
  const ids = order.map((row) => row.id);
  const dirty = !same(ids, before);

  const save = async (): Promise<boolean> => {
    if (!dirty) {
      onDone();
      return true;
    }
    setSaving(true);
    try {
      await send(ids);
      unsaved.clean();
      await refresh();
      notify.undo(t('list.order_saved'), async () => {
        await send(before);
        await refresh();
      });
      onDone();
      return true;
    } catch (error) {
      notify.problem(error);
      return false;
    } finally {
      setSaving(false);
    }
  };
  const unsaved = useUnsaved({ dirty, save });
  useHotkey('ctrl+s', () => void save(), !saving);

  return (
    <div className="sort-mode">
      <div className="rank-bar">
        <p>{t('list.sort_help')}</p>
        {dirty && (
          <Button disabled={saving} onClick={() => setOrder(rows)}>
            {t('catalogue.sort_reset')}
          </Button>
        )}
        <Button type="primary" loading={saving} onClick={() => void save()}>
          {t('list.save_order')}
        </Button>
      </div>
      <SortRows items={order} keyOf={(row) => row.id} nameOf={nameOf} onSort={setOrder}>
        {(row, index) => (
          <>
            <span className="rank-number num">{index + 1}.</span>
            {children(row)}
          </>
        )}
      </SortRows>
    </div>
  );
}
