import { AppstoreOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'categories_and_products',
  title: { hu: 'Kategóriák és termékek', en: 'Categories and products' },
  group: 'products',
  icon: AppstoreOutlined,
  permission: ['order'],
  order: 10,
  resources: ['product_categories', 'products'],
  load: () => import('./index'),
});
