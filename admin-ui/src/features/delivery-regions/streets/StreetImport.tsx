import { useTranslation } from 'react-i18next';
import { deliveryStreetsImport } from '../../../generated/client/restaurants/restaurants';
import type { DeliveryRegion } from '../../../generated/model';
import { labelOf } from '../../../lib/fields/labels';
import { useFormat } from '../../../lib/format';
import { useForget } from '../../../lib/query';
import { here } from '../../../lib/target';
import { useNotify } from '../../../lib/ui/notify';
import { useInlineWork } from '../../../lib/ui/work';
import { FileImport } from './FileImport';

/** Streets of a region from a spreadsheet: all of them or none. */
export default function StreetImport({ region, onClose }: { region: DeliveryRegion; onClose: () => void }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const notify = useNotify();
  const forget = useForget();
  const { busy, error, work } = useInlineWork();
  const send = (file: File) =>
    work(async () => {
      const done = await deliveryStreetsImport(...here(), region.id, { file }, { timeout: 120_000 });
      await forget(['delivery_regions', 'delivery_streets']);
      notify.success(t('region_import.done', { added: number(done.added), changed: number(done.changed) }));
      onClose();
    });
  const columns = ['name', 'postcode', 'city', 'price', 'active'].map((field) =>
    labelOf('delivery_streets', field).toLowerCase(),
  );
  return (
    <FileImport
      title={t('region_import.streets_of', { name: region.name })}
      lead={t('region_import.streets_lead')}
      columns={t('region_import.columns', { columns: columns.join(', ') })}
      sample={{
        name: t('region_import.streets_file'),
        rows: [columns, ['Kossuth utca', '2040', 'Budaörs', '790', ''], ['*', '2045', '', '', '']],
      }}
      busy={busy}
      error={error}
      labelOf={(key) => labelOf('delivery_streets', key)}
      nameKey="name"
      onFile={(file) => void send(file)}
      onClose={onClose}
    />
  );
}
