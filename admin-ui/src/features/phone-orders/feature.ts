import { PhoneOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'phone_orders',
  title: { hu: 'Telefonos rendelés', en: 'Phone order' },
  group: 'orders',
  icon: PhoneOutlined,
  permission: ['fresh_order', 'order_accept', 'pos'],
  order: 15,
  texts: ['order-taking'],
  load: () => import('./index'),
});
