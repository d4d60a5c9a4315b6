import { PercentageOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';
import { loadFeatureTexts } from '../../lib/i18n';

export default defineFeature({
  key: 'discounts',
  title: { hu: 'Kedvezmények', en: 'Discounts' },
  group: 'discount',
  icon: PercentageOutlined,
  permission: ['discount'],
  order: 10,
  resources: ['discounts', 'discount_series', 'discount_usages'],
  // Amounts, times and categories are edited as those of the menu.
  load: async () => (await Promise.all([import('./index'), loadFeatureTexts('categories-and-products')]))[0],
});
