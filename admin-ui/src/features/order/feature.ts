import { FileTextOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'order_page',
  title: { hu: 'Rendelés', en: 'Order' },
  parent: 'fresh_orders',
  icon: FileTextOutlined,
  permission: ['fresh_order', 'all_order'],
  order: 20,
  needsPath: true,
  load: () => import('./index'),
});
