import { SettingOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';
import { loadFeatureTexts } from '../../lib/i18n';

export default defineFeature({
  key: 'system_settings',
  title: { hu: 'Rendszerbeállítások', en: 'System settings' },
  group: 'system',
  icon: SettingOutlined,
  permission: ['system_general'],
  order: 10,
  resources: ['restaurants_system'],
  load: () => Promise.all([import('./index'), loadFeatureTexts('sos-close')]).then(([screen]) => screen),
});
