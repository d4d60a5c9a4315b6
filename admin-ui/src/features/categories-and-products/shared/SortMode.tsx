import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SortRows } from '../../../lib/crud/SortRows';
import { RankAlert } from '../../../lib/form/RankAlert';
import { useRankForm } from '../../../lib/form/useRankForm';
import { useHotkey } from '../../../lib/hooks';
import { Button } from '../../../lib/ui/Button';
import { useRefreshCatalogue } from './api';

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
export default function SortMode<T extends { id: string }>(props: SortModeProps<T>) {
  const { rows, nameOf, children, send, onDone } = props;
  const { t } = useTranslation();
  const refresh = useRefreshCatalogue();
  const form = useRankForm({ rows, send, refresh: () => refresh(), onSaved: onDone });
  const { dirty, saving } = form;
  const save = () => (dirty ? void form.save() : onDone());
  useHotkey('ctrl+s', save, !saving);
  return (
    <div className="sort-mode">
      <div className="rank-bar">
        <p>{t('list.sort_help')}</p>
        {dirty && (
          <Button disabled={saving} onClick={form.reset}>
            {t('catalogue.sort_reset')}
          </Button>
        )}
        <Button type="primary" loading={saving} onClick={save}>
          {t('list.save_order')}
        </Button>
      </div>
      <RankAlert form={form} />
      <SortRows items={form.rows} keyOf={(row) => row.id} nameOf={nameOf} onSort={form.sort}>
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
