import { useTranslation } from 'react-i18next';
import { fields } from '../../generated/fields/vats.gen';
import type { Vat } from '../../generated/model';
import { type Column, ResourcePage } from '../../lib/crud';
import { useFormat } from '../../lib/format';
import { Chip } from '../../lib/ui/page';

/**
 * The VAT rates of all restaurants, written by super admins. An archived rate stays on what uses it. The percent
 * is fixed once a rate is there: menus and orders depend on it.
 */
export default function Vats() {
  const { t } = useTranslation();
  const { percent, date } = useFormat();
  const columns: Column<Vat>[] = [
    { key: 'name_local', render: (row) => row.name_local },
    { key: 'name_en', wideOnly: true },
    { key: 'country_id', wideOnly: true },
    { key: 'percent', align: 'right', render: (row) => percent(row.percent) },
    {
      key: 'state',
      title: t('vats.state'),
      render: (row) => {
        const archived = row.archived_at;
        return archived ? (
          <Chip>{t('vats.archived_since', { day: date(archived) })}</Chip>
        ) : (
          <Chip tone="success">{t('vats.in_use')}</Chip>
        );
      },
    },
  ];
  return (
    <ResourcePage
      resource="vats"
      fields={fields}
      lead={t('vats.lead')}
      columns={columns}
      filters={['archived']}
      form={['name_local', 'name_en', ['percent', 'country_id']]}
      overrides={{ percent: { unit: '%' } }}
      fixed={['percent']}
      initial={{ country_id: 'HU' }}
      opens={(row) => !row.archived_at}
      nameOf={(row) => row.name_local}
      history
      removal={(name) => ({
        verb: t('vats.archive'),
        title: t('vats.archive_title', { name }),
        effect: t('vats.archive_effect'),
        done: t('vats.archived_done', { name }),
      })}
    />
  );
}
