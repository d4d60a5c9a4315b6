import { useTranslation } from 'react-i18next';
import { fields } from '../../generated/fields/restaurants_system.gen';
import { useCanDo } from '../../lib/access';
import { usePartUpdate } from '../../lib/crud/InstantSwitch';
import { SelfSavingNumber } from '../../lib/crud/SelfSavingNumber';
import { useRestaurant } from '../../lib/target';

/** Sent when typing has paused this long. ms */
const PAUSE = 1400;
const { min, max } = fields.estimated_delivery_time;
const fits = (plain: string) => /^\d+$/.test(plain) && Number(plain) >= min && Number(plain) <= max;

/** The usual delivery time. */
export function DeliveryTime() {
  const { t } = useTranslation();
  const put = usePartUpdate('restaurants_system');
  return (
    <SelfSavingNumber
      id="estimated_delivery_time"
      title={t('restaurants_system.delivery_time')}
      label={t('restaurants_system.estimated_delivery_time')}
      help={t('restaurants_system.estimated_delivery_time_help')}
      unit={t('restaurants_system.minutes')}
      now={useRestaurant().estimated_delivery_time}
      pause={PAUSE}
      fits={fits}
      wrong={t('restaurants_system.minutes_range', { min, max })}
      disabled={!useCanDo()('restaurants_system', 'update')}
      save={(estimated_delivery_time) => put({ estimated_delivery_time })}
    />
  );
}
