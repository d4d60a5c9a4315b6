import { useTranslation } from 'react-i18next';
import { fields } from '../../generated/fields/restaurants_delivery.gen';
import type { FormBodyProps, Layout } from '../../lib/crud';
import { useRestaurant } from '../../lib/target';

/** Preorders and their limits, which mean nothing without each other and so are saved together. */
export function usePreorder(): { group: Layout[number]; overrides: NonNullable<FormBodyProps['overrides']> } {
  const { t } = useTranslation();
  const { preorder_delivery, preorder_pickup } = useRestaurant();
  const minutes = { unit: t('restaurants_delivery.minutes') };
  const days = { unit: t('restaurants_delivery.days') };
  return {
    group: {
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
    overrides: {
      min_days_to_preorder: days,
      days_to_preorder: {
        ...days,
        rules: [
          ({ getFieldValue }) => ({
            validator: async (_, value) => {
              if (Number(value) < Number(getFieldValue('min_days_to_preorder')))
                throw new Error(t('restaurants_delivery.days_order'));
            },
          }),
        ],
      },
      min_preorder_delivery_diff: { ...minutes, info: { ...fields.min_preorder_delivery_diff, min: 1 } },
      min_preorder_pickup_diff: { ...minutes, info: { ...fields.min_preorder_pickup_diff, min: 1 } },
      preorder_notification_mins_before_expected: minutes,
    },
  };
}
