import { DesktopOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'operating',
  title: { hu: 'Üzemeltetés', en: 'Operation' },
  group: 'platform',
  scope: 'platform',
  icon: DesktopOutlined,
  permission: ['super_admin'],
  order: 38,
  // Kinds of jobs are called as on their screen.
  texts: ['jobs'],
  load: () => import('./index'),
});
