import { CreditCardOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'payment_methods_pos',
  title: { hu: 'Fizetési módok a kasszánál', en: 'Payment methods at the till' },
  group: 'pos',
  icon: CreditCardOutlined,
  permission: ['payment_method'],
  order: 50,
  resources: [],
  load: () => import('./index'),
});
