import { ShoppingOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'delivery_and_take_away',
  title: { hu: 'Kiszállítás és elvitel', en: 'Delivery and take-away' },
  group: 'restaurant_data',
  icon: ShoppingOutlined,
  permission: ['restaurant_delivery'],
  order: 30,
  resources: ['restaurants_delivery'],
  load: () => import('./index'),
});
