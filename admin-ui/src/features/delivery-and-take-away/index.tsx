import { useTranslation } from 'react-i18next';
import { fields } from '../../generated/fields/restaurants_delivery.gen';
import { type Layout, SettingsForm, useSettings } from '../../lib/crud';
import { InstantSwitch } from '../../lib/crud/InstantSwitch';
import { useRestaurant } from '../../lib/target';
import { Card, PageHeader } from '../../lib/ui/page';

/** How orders reach the guest: the two normal ways take effect at once, the rest is saved together (document 1 §2, §4). */
export default function DeliveryAndTakeAway() {
  const { t } = useTranslation();
  const { currency, preorder_delivery, preorder_pickup } = useRestaurant();
  const state = useSettings({ resource: 'restaurants_delivery', fields });
  const minutes = { unit: t('restaurants_delivery.minutes') };
  const days = { unit: t('restaurants_delivery.days') };
  const layout: Layout = [
    {
      title: 'restaurants_delivery.preorder',
      lead: t('restaurants_delivery.preorder_text'),
      fold: preorder_delivery || preorder_pickup ? 'open' : 'closed',
      fields: [
        ['preorder_delivery', 'preorder_pickup'],
        ['min_days_to_preorder', 'days_to_preorder'],
        ['min_preorder_delivery_diff', 'min_preorder_pickup_diff'],
        'preorder_notification_mins_before_expected',
      ],
    },
    { title: 'restaurants_delivery.value', fields: ['min_order_price'] },
  ];
  return (
    <>
      <PageHeader lead={t('restaurants_delivery.lead')} />
      <div className="settings">
        <Card title={t('restaurants_delivery.normal')}>
          <InstantSwitch resource="restaurants_delivery" field="normal_delivery" />
          <InstantSwitch resource="restaurants_delivery" field="normal_pickup" />
        </Card>
        <SettingsForm
          state={state}
          layout={layout}
          overrides={{
            min_days_to_preorder: days,
            days_to_preorder: {
              ...days,
              rules: [({ getFieldValue }) => ({ validator: async (_, value) => { if (Number(value) < Number(getFieldValue('min_days_to_preorder'))) throw new Error(t('restaurants_delivery.days_order')); } })],
            },
            min_preorder_delivery_diff: { ...minutes, info: { ...fields.min_preorder_delivery_diff, min: 1 } },
            min_preorder_pickup_diff: { ...minutes, info: { ...fields.min_preorder_pickup_diff, min: 1 } },
            preorder_notification_mins_before_expected: minutes,
            min_order_price: { unit: currency === 'huf' ? 'Ft' : currency.toUpperCase(), info: { ...fields.min_order_price, min: 0 } },
          }}
        />
      </div>
    </>
  );
}
