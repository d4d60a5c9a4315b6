import { CreditCardOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'payments',
  title: { hu: 'Fizetések', en: 'Payments' },
  group: 'orders',
  icon: CreditCardOutlined,
  permission: ['all_order'],
  order: 28,
  // Orders and refunds are called as on the order page, with its texts.
  texts: ['order'],
  load: () => import('./index'),
});
