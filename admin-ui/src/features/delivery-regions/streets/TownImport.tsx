import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deliveryRegionsImport } from '../../../generated/client/restaurants/restaurants';
import type { DeliveryRegionImport } from '../../../generated/model';
import { PlainRows } from '../../../lib/crud/PlainRows';
import { labelOf } from '../../../lib/fields/labels';
import { useFormat } from '../../../lib/format';
import { useForget } from '../../../lib/query';
import { here } from '../../../lib/target';
import { Button } from '../../../lib/ui/Button';
import { useNotify } from '../../../lib/ui/notify';
import { Chip, type Tone } from '../../../lib/ui/page';
import { useInlineWork } from '../../../lib/ui/work';
import { FileImport } from './FileImport';
import { countsOf, inOrder, type TownRow } from './towns';

const TONES: Record<TownRow['what'], Tone> = { added: 'success', changed: 'info', same: 'neutral' };

/** What a column of the list is called: those of the place are named as a street's. */
const townLabel = (key: string): string =>
  labelOf(key === 'city' || key === 'postcode' ? 'delivery_streets' : 'delivery_regions', key);

/** The usual list of towns with fee and minimum: rehearsed first, then taken in one step. */
export default function TownImport({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const notify = useNotify();
  const forget = useForget();
  const { busy, error, work } = useInlineWork();
  const [rehearsed, setRehearsed] = useState<{ file: File; result: DeliveryRegionImport }>();
  const send = (file: File, dry_run: boolean) =>
    deliveryRegionsImport(...here(), { file, dry_run }, { timeout: 120_000 });
  const rehearse = (file: File) => {
    setRehearsed(undefined);
    return work(async () => setRehearsed({ file, result: await send(file, true) }));
  };
  const apply = (file: File) =>
    work(async () => {
      const done = await send(file, false);
      await forget(['delivery_regions', 'delivery_streets']);
      notify.success(t('region_import.done', { added: number(done.added), changed: number(done.changed) }));
      onClose();
    });
  const counts = rehearsed && countsOf(rehearsed.result.rows);
  const nothing = counts !== undefined && counts.added + counts.changed === 0;
  const head = ['town', 'fee', 'minimum', 'postcode'].map((key) => t(`region_import.head_${key}`));
  return (
    <FileImport
      title={t('region_import.towns')}
      lead={t('region_import.towns_lead')}
      columns={t('region_import.columns', { columns: head.join(', ') })}
      sample={{
        name: t('region_import.towns_file'),
        rows: [head, ['Budaörs', '790', '4000', '2040'], ['Törökbálint', '990', '5000', '']],
      }}
      busy={busy}
      error={error}
      labelOf={townLabel}
      nameKey="city"
      onFile={(file) => void rehearse(file)}
      onClose={onClose}
      footer={
        <div className="form-buttons">
          <span className="form-buttons-gap" />
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          {rehearsed && (
            <Button
              type="primary"
              loading={busy}
              disabled={nothing}
              onClick={() => void apply(rehearsed.file)}
            >
              {t('region_import.apply')}
            </Button>
          )}
        </div>
      }
    >
      {rehearsed && counts && (
        <>
          <p className="dr-counts" role="status">
            {nothing
              ? t('region_import.nothing')
              : t('region_import.counts', {
                  file: rehearsed.file.name,
                  added: number(counts.added),
                  changed: number(counts.changed),
                  same: number(counts.same),
                })}
          </p>
          {rehearsed.result.rows.some(({ postcode }) => postcode) && (
            <p className="edit-help">{t('region_import.postcode_only')}</p>
          )}
          <Preview rows={rehearsed.result.rows} />
        </>
      )}
    </FileImport>
  );
}

function Preview({ rows }: { rows: readonly TownRow[] }) {
  const { t } = useTranslation();
  const { money, number } = useFormat();
  return (
    <div className="card card-flush list-card">
      <PlainRows
        rows={inOrder(rows)}
        rowKey={({ row }) => String(row)}
        columns={[
          { key: 'name', title: townLabel('city'), render: ({ name }) => name },
          {
            key: 'postcode',
            title: townLabel('postcode'),
            render: ({ postcode }) => <span className="num">{postcode}</span>,
          },
          {
            key: 'row',
            title: t('region_import.fault_row'),
            render: ({ row }) => <span className="num">{number(row)}</span>,
          },
          {
            key: 'price',
            title: townLabel('price'),
            align: 'right',
            render: ({ price }) => <span className="num">{money(price)}</span>,
          },
          {
            key: 'min_order_price',
            title: townLabel('min_order_price'),
            align: 'right',
            render: ({ min_order_price }) => <span className="num">{money(min_order_price)}</span>,
          },
          {
            key: 'what',
            title: t('region_import.what'),
            render: ({ what }) => <Chip tone={TONES[what]}>{t(`region_import.what_${what}`)}</Chip>,
          },
        ]}
      />
    </div>
  );
}
