import { useTranslation } from 'react-i18next';
import { fields } from '../../generated/fields/ntak_categories.gen';
import type { NtakCategory } from '../../generated/model';
import { type Column, ResourcePage } from '../../lib/crud';
import { useFormat } from '../../lib/format';
import { Chip, type Tone } from '../../lib/ui/page';
import { ntakPair } from '../categories-and-products/shared/ntak';

const TONE: Record<NtakCategory['state'], Tone> = { valid: 'success', coming: 'info', ended: 'neutral' };

/**
 * The categories of the tax report, the same for all restaurants. Super admins add pairs and end others by their last
 * day; one that has ended stays on what uses it.
 */
export default function NtakCategories() {
  const { t } = useTranslation();
  const { language } = useFormat();
  const columns: Column<NtakCategory>[] = [
    {
      key: 'pair',
      title: t('ntak_categories.pair'),
      render: (row) => ntakPair(row, language),
    },
    {
      key: 'words',
      title: t('ntak_categories.words'),
      wideOnly: true,
      render: (row) => `${row.main_category} / ${row.sub_category}`,
    },
    { key: 'valid_until' },
    {
      key: 'state',
      title: t('ntak_categories.state'),
      render: ({ state }) => <Chip tone={TONE[state]}>{t(`ntak_categories.state.${state}`)}</Chip>,
    },
  ];
  return (
    <ResourcePage
      resource="ntak_categories"
      fields={fields}
      lead={t('ntak_categories.lead')}
      columns={columns}
      filters={['all']}
      form={[
        ['main_category', 'sub_category'],
        ['main_category_name', 'main_category_name_en'],
        ['sub_category_name', 'sub_category_name_en'],
        ['valid_from', 'valid_until'],
      ]}
      fixed={['main_category', 'sub_category', 'main_category_name', 'main_category_name_en']}
      nameOf={(row) => ntakPair(row, language)}
      history
    />
  );
}
