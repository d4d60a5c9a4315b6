import { BankOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'legal_data',
  title: { hu: 'Jogi adatok', en: 'Legal data' },
  group: 'restaurant_data',
  icon: BankOutlined,
  permission: ['restaurant_general'],
  order: 40,
  resources: ['legal_file'],
  load: () => import('./index'),
});
