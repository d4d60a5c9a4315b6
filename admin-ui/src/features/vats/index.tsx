import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fields } from '../../generated/fields/vats.gen';
import type { Vat } from '../../generated/model';
import { type Column, ResourceList, type Row } from '../../lib/crud';
import { isWord } from '../../lib/features';
import { useFormat } from '../../lib/format';
import { usePage, usePageUrl } from '../../lib/navigation';
import { Chip } from '../../lib/ui/page';
import { VatEditor } from './VatEditor';

const of = (row: Row) => row as unknown as Vat;

/** The VAT rates of all restaurants, written by super admins. An archived rate stays on what uses it. */
export default function Vats() {
  const { t } = useTranslation();
  const { percent, date } = useFormat();
  const { path, open } = usePage();
  const url = usePageUrl();
  const [generation, setGeneration] = useState(0);
  const isNew = isWord('new', path[0]);
  const columns: Column[] = [
    { key: 'name_local', render: (row) => of(row).name_local },
    { key: 'name_en', wideOnly: true },
    { key: 'country_id', wideOnly: true },
    { key: 'percent', align: 'right', render: (row) => percent(of(row).percent) },
    {
      key: 'state',
      title: t('vats.state'),
      render: (row) => {
        const archived = of(row).archived_at;
        return archived ? (
          <Chip>{t('vats.archived_since', { day: date(archived) })}</Chip>
        ) : (
          <Chip tone="success">{t('vats.in_use')}</Chip>
        );
      },
    },
  ];
  return (
    <>
      <ResourceList
        resource="vats"
        fields={fields}
        lead={t('vats.lead')}
        columns={columns}
        filters={['archived']}
        href={(row) => (of(row).archived_at ? undefined : url('vats', String(row.id)))}
        onOpen={(row) => void open(String(row.id))}
        onNew={() => void open('new')}
        nameOf={(row) => of(row).name_local}
      />
      {path[0] !== undefined && (
        <VatEditor
          key={isNew ? `new-${generation}` : path[0]}
          id={isNew ? undefined : path[0]}
          onClose={() => void open()}
          onAnother={() => setGeneration((at) => at + 1)}
        />
      )}
    </>
  );
}
