import { PhoneOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';
import { loadFeatureTexts } from '../../lib/i18n';

export default defineFeature({
  key: 'phone_orders',
  title: { hu: 'Telefonos rendelés', en: 'Phone order' },
  group: 'orders',
  icon: PhoneOutlined,
  permission: ['fresh_order', 'order_accept', 'pos'],
  order: 15,
  load: () => Promise.all([import('./index'), loadFeatureTexts('order-taking')]).then(([screen]) => screen),
});
