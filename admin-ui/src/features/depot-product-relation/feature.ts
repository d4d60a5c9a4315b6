import { ApartmentOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';
import { loadFeatureTexts } from '../../lib/i18n';

export default defineFeature({
  key: 'depot_product_relation',
  title: { hu: 'Termék-raktár kapcsolat', en: 'Depot of products' },
  group: 'depot',
  icon: ApartmentOutlined,
  permission: ['depot_product_relation'],
  noEffectWithout: 'yet',
  order: 70,
  load: async () => (await Promise.all([import('./index'), loadFeatureTexts('categories-and-products')]))[0],
});
