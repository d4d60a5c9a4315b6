import { useTranslation } from 'react-i18next';
import { fields } from '../../generated/fields/restaurants_delivery.gen';
import { type Layout, SettingsForm, useSettings } from '../../lib/crud';
import { InstantSwitch } from '../../lib/crud/InstantSwitch';
import { useRestaurant } from '../../lib/target';
import { Card, PageHeader } from '../../lib/ui/page';
import { SettingsHistoryButton } from '../audit/SettingsHistoryButton';
import { usePreorder } from './preorder';

/**
 * How orders reach the guest: the two normal ways take effect at once, the rest is saved together.
 */
export default function DeliveryAndTakeAway() {
  const { t } = useTranslation();
  const { currency } = useRestaurant();
  const state = useSettings({ resource: 'restaurants_delivery', fields });
  const preorder = usePreorder();
  const layout: Layout = [
    preorder.group,
    {
      title: 'restaurants_delivery.where',
      lead: t('restaurants_delivery.where_text'),
      fields: ['no_region'],
    },
    { title: 'restaurants_delivery.value', fields: ['min_order_price'] },
  ];
  return (
    <>
      <PageHeader
        lead={t('restaurants_delivery.lead')}
        actions={<SettingsHistoryButton group="delivery" />}
      />
      <div className="settings">
        <Card title={t('restaurants_delivery.normal')}>
          <InstantSwitch resource="restaurants_delivery" field="normal_delivery" />
          <InstantSwitch resource="restaurants_delivery" field="normal_pickup" />
        </Card>
        <SettingsForm
          state={state}
          layout={layout}
          overrides={{
            ...preorder.overrides,
            min_order_price: {
              unit: currency === 'huf' ? 'Ft' : currency.toUpperCase(),
              info: { ...fields.min_order_price, min: 0 },
            },
          }}
        />
      </div>
    </>
  );
}
