import { PercentageOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'discounts',
  title: { hu: 'Kedvezmények', en: 'Discounts' },
  group: 'discount',
  icon: PercentageOutlined,
  permission: ['discount'],
  order: 10,
  resources: ['discounts', 'discount_series', 'discount_usages'],
  // Amounts, times and categories are edited as those of the menu.
  texts: ['categories-and-products'],
  load: () => import('./index'),
});
