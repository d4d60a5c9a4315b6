import { ApiOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'devices',
  title: { hu: 'Készülékek', en: 'Devices' },
  group: 'pos',
  icon: ApiOutlined,
  permission: ['admin_table'],
  order: 90,
  resources: ['devices'],
  load: () => import('./index'),
});
