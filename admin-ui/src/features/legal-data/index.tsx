import { useTranslation } from 'react-i18next';
import { fields } from '../../generated/fields/legal_file.gen';
import { type Layout, SettingsForm, useSettings } from '../../lib/crud';
import { PageHeader } from '../../lib/ui/page';
import { SettingsHistoryButton } from '../audit/SettingsHistoryButton';

const LAYOUT: Layout = [
  { title: 'legal_file.company', fields: ['company_name', 'tax_num', 'address'] },
  { title: 'legal_file.contact', fields: [['contact_email', 'phone_1']] },
];

/** The company behind the restaurant. */
export default function LegalData() {
  const { t } = useTranslation();
  const state = useSettings({ resource: 'legal_file', fields });
  const required = (name: 'company_name' | 'tax_num' | 'address') => ({
    info: { ...fields[name], required: true },
  });
  return (
    <>
      <PageHeader lead={t('legal_file.lead')} actions={<SettingsHistoryButton group="legal_data" />} />
      <SettingsForm
        state={state}
        layout={LAYOUT}
        overrides={{
          company_name: required('company_name'),
          tax_num: required('tax_num'),
          address: required('address'),
        }}
      />
    </>
  );
}
