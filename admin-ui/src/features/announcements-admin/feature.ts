import { NotificationOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'announcements_admin',
  title: { hu: 'Közlemények', en: 'Announcements' },
  group: 'platform',
  scope: 'platform',
  icon: NotificationOutlined,
  permission: ['super_admin'],
  order: 60,
  resources: ['announcements'],
  load: () => import('./index'),
});
