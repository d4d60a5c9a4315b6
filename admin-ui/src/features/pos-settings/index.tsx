import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { fields } from '../../generated/fields/pos_configs.gen';
import { useCanDo } from '../../lib/access';
import { type Layout, SettingsForm, useSettings } from '../../lib/crud';
import { PageHeader } from '../../lib/ui/page';
import { SettingsHistoryButton } from '../audit/SettingsHistoryButton';
import { DefaultMethod, DefaultRegion } from './PhoneDefaults';

const LAYOUT: Layout = [
  {
    title: 'pos_configs.fee',
    fields: ['service_fee_mode', 'service_fee', 'take_away_service_fee'],
  },
  { title: 'pos_configs.tips', fields: ['default_tip', 'employee_tip'] },
  { title: 'pos_configs.deposits', fields: ['deposit_here'] },
  { title: 'pos_configs.drawer', fields: ['daily_close_limit'] },
];
const PERCENT = { unit: '%' };
const OVERRIDES = {
  service_fee: PERCENT,
  default_tip: PERCENT,
  default_payment_method: { input: <DefaultMethod /> },
  default_delivery_region_id: { input: <DefaultRegion /> },
};

/** Service fee, tips and deposits of the restaurant, and what orders on the phone begin with. */
export default function PosSettings() {
  const { t } = useTranslation();
  // Regions are chosen by their names.
  const names = useCanDo()('delivery_regions', 'names');
  const layout = useMemo<Layout>(() => {
    const region = names ? ['default_delivery_region_id'] : [];
    return [
      ...LAYOUT,
      { title: 'pos_configs.phone', fields: ['accept_at_once', 'default_payment_method', ...region] },
    ];
  }, [names]);
  const state = useSettings({ resource: 'pos_configs', fields });
  return (
    <>
      <PageHeader lead={t('pos_configs.lead')} actions={<SettingsHistoryButton group="pos_settings" />} />
      <SettingsForm state={state} layout={layout} overrides={OVERRIDES} />
    </>
  );
}
