import { useTranslation } from 'react-i18next';
import { fields } from '../../generated/fields/restaurants_system.gen';
import { type Layout, SettingsForm, useSettings } from '../../lib/crud';
import { TimeInput } from '../../lib/fields/TimeInput';
import { PageHeader } from '../../lib/ui/page';
import { SettingsHistoryButton } from '../audit/SettingsHistoryButton';
import { DeliveryTime } from './DeliveryTime';
import { SosCard } from './SosCard';

const LAYOUT: Layout = [
  {
    title: 'restaurants_system.numbers',
    fields: [['order_reset_time', 'counter_prefix'], 'order_accept_on_open'],
  },
  {
    title: 'restaurants_system.escalation',
    fields: [['escalate_after_minutes', 'escalate_admins_after_minutes']],
  },
  { title: 'restaurants_system.waiting', fields: [['max_waiting_per_phone', 'max_waiting_per_guest']] },
];

/**
 * SOS close, the usual delivery time, how orders are numbered, who is told of one that nobody accepts, and how many of
 * a guest may wait.
 */
export default function SystemSettings() {
  const { t } = useTranslation();
  const minutes = { unit: t('restaurants_system.minutes') };
  const state = useSettings({ resource: 'restaurants_system', fields });
  return (
    <>
      <PageHeader lead={t('restaurants_system.lead')} actions={<SettingsHistoryButton group="system" />} />
      <div className="settings">
        <SosCard />
        <DeliveryTime />
        <SettingsForm
          state={state}
          layout={LAYOUT}
          overrides={{
            order_reset_time: { input: <TimeInput label={t('restaurants_system.order_reset_time')} /> },
            escalate_after_minutes: minutes,
            escalate_admins_after_minutes: minutes,
            counter_prefix: { info: { ...fields.counter_prefix, max: 1 } },
          }}
        />
      </div>
    </>
  );
}
