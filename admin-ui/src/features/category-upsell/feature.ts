import { LinkOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'category_upsell',
  title: { hu: 'Kategóriaajánlás', en: 'Category upsell' },
  group: 'products',
  icon: LinkOutlined,
  permission: ['order'],
  order: 40,
  resources: ['product_category_upsells'],
  load: () => import('./index'),
});
