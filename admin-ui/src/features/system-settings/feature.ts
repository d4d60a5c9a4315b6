import { SettingOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'system_settings',
  title: { hu: 'Rendszerbeállítások', en: 'System settings' },
  group: 'system',
  icon: SettingOutlined,
  permission: ['system_general'],
  order: 10,
  resources: ['restaurants_system'],
  texts: ['sos-close'],
  load: () => import('./index'),
});
