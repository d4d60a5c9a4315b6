import { CreditCardOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'payment_methods_web',
  title: { hu: 'Fizetési módok', en: 'Payment methods' },
  group: 'restaurant_data',
  icon: CreditCardOutlined,
  permission: ['payment_method'],
  order: 50,
  resources: [],
  load: () => import('./index'),
});
