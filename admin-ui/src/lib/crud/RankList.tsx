import { useTranslation } from 'react-i18next';
import type { ResourceName } from '../../generated/resources.gen';
import { RankAlert } from '../form/RankAlert';
import { useRankForm } from '../form/useRankForm';
import { request } from '../http';
import { useForget } from '../query';
import { resourceInfo } from '../resources';
import { fillPath } from '../target';
import { Button } from '../ui/Button';
import { SortRows } from './SortRows';
import type { Row } from './useResourceForm';

interface Props {
  resource: ResourceName;
  rows: readonly (Row & { id: string })[];
  nameOf: (row: Row) => string;
  params?: Record<string, unknown> | undefined;
  onDone: () => void;
}

/** The order of a resource by hand; one call saves the whole order, which can be taken back. */
export default function RankList({ resource, rows, nameOf, params, onDone }: Props) {
  const { t } = useTranslation();
  const forget = useForget();
  const { rankPath, rankBody = 'ids' } = resourceInfo(resource);
  const form = useRankForm({
    rows,
    send: (ids) => request(fillPath(rankPath!, params), { method: 'PUT', body: { [rankBody]: ids } }),
    refresh: () => forget([resource]),
    onSaved: onDone,
  });
  return (
    <>
      <div className="rank-bar">
        <p>{t('list.sort_help')}</p>
        <Button disabled={form.saving} onClick={() => void form.ask().then((go) => go && onDone())}>
          {t('action.cancel')}
        </Button>
        <Button type="primary" loading={form.saving} disabled={!form.dirty} onClick={() => void form.save()}>
          {t('list.save_order')}
        </Button>
      </div>
      <RankAlert form={form} />
      <SortRows items={form.rows} keyOf={(row) => row.id} nameOf={nameOf} onSort={form.sort}>
        {(row, index) => (
          <>
            <span className="rank-number num">{index + 1}.</span>
            <span className="rank-name">{nameOf(row)}</span>
          </>
        )}
      </SortRows>
    </>
  );
}
