import { PercentageOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'vats',
  title: { hu: 'Áfakulcsok', en: 'VAT rates' },
  group: 'platform',
  scope: 'platform',
  icon: PercentageOutlined,
  permission: ['super_admin'],
  order: 55,
  resources: ['vats'],
  load: () => import('./index'),
});
