import { SafetyCertificateOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'menu_health',
  title: { hu: 'Étlap ellenőrzése', en: 'Menu health' },
  group: 'products',
  icon: SafetyCertificateOutlined,
  permission: ['order'],
  order: 60,
  resources: ['menu_mends'],
  load: () => import('./index'),
});
