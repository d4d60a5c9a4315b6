import { SafetyCertificateOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'super_admins',
  title: { hu: 'Szuperadminok', en: 'Super admins' },
  group: 'platform',
  scope: 'platform',
  icon: SafetyCertificateOutlined,
  permission: ['super_admin'],
  order: 50,
  resources: ['super_admins'],
  load: () => import('./index'),
});
