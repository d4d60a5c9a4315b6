import { StarOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'featured_products',
  title: { hu: 'Kiemelt termékek', en: 'Featured products' },
  group: 'products',
  icon: StarOutlined,
  permission: ['order'],
  order: 30,
  resources: ['featured_products'],
  // Sorting is that of the catalogue, and so are its texts.
  texts: ['categories-and-products'],
  load: () => import('./index'),
});
