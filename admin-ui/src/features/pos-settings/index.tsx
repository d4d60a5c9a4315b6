import { useTranslation } from 'react-i18next';
import { fields } from '../../generated/fields/pos_configs.gen';
import { type Layout, SettingsForm, useSettings } from '../../lib/crud';
import { PageHeader } from '../../lib/ui/page';
import { SettingsHistoryButton } from '../audit/SettingsHistoryButton';

const LAYOUT: Layout = [
  {
    title: 'pos_configs.fee',
    fields: ['service_fee_mode', 'service_fee', 'take_away_service_fee'],
  },
  { title: 'pos_configs.tips', fields: ['default_tip', 'employee_tip'] },
  { title: 'pos_configs.deposits', fields: ['deposit_here'] },
];
const PERCENT = { unit: '%' };

/** Service fee, tips and deposits of the restaurant. */
export default function PosSettings() {
  const { t } = useTranslation();
  const state = useSettings({ resource: 'pos_configs', fields });
  return (
    <>
      <PageHeader lead={t('pos_configs.lead')} actions={<SettingsHistoryButton group="pos_settings" />} />
      <SettingsForm
        state={state}
        layout={LAYOUT}
        overrides={{ service_fee: PERCENT, default_tip: PERCENT }}
      />
    </>
  );
}
