import { StarOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';
import { loadFeatureTexts } from '../../lib/i18n';

export default defineFeature({
  key: 'featured_products',
  title: { hu: 'Kiemelt termékek', en: 'Featured products' },
  group: 'products',
  icon: StarOutlined,
  permission: ['order'],
  order: 30,
  resources: ['featured_products'],
  // Sorting is that of the catalogue, and so are its texts.
  load: async () => (await Promise.all([import('./index'), loadFeatureTexts('categories-and-products')]))[0],
});
