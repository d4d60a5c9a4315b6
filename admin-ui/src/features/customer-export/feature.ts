import { ContactsOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'customer_export',
  title: { hu: 'Vendégek exportja', en: 'Customer export' },
  group: 'order_export',
  icon: ContactsOutlined,
  permission: ['customer_export'],
  order: 20,
  load: () => import('./index'),
});
