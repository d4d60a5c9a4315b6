import { TeamOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'customers',
  title: { hu: 'Vendégek', en: 'Customers' },
  group: 'customer',
  icon: TeamOutlined,
  permission: ['customer'],
  order: 10,
  resources: ['shadow_customers'],
  load: () => import('./index'),
});
