import { ShopOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'restaurant_general',
  title: { hu: 'Általános adatok', en: 'General' },
  group: 'restaurant_data',
  icon: ShopOutlined,
  permission: ['restaurant_general'],
  order: 10,
  resources: ['restaurants_general'],
  load: () => import('./index'),
});
