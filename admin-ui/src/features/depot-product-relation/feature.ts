import { ApartmentOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'depot_product_relation',
  title: { hu: 'Termék-raktár kapcsolat', en: 'Depot of products' },
  group: 'depot',
  icon: ApartmentOutlined,
  permission: ['depot_product_relation'],
  noEffectWithout: 'yet',
  order: 70,
  texts: ['categories-and-products'],
  load: () => import('./index'),
});
