import { DesktopOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';
import { loadFeatureTexts } from '../../lib/i18n';

export default defineFeature({
  key: 'operating',
  title: { hu: 'Üzemeltetés', en: 'Operation' },
  group: 'platform',
  scope: 'platform',
  icon: DesktopOutlined,
  permission: ['super_admin'],
  order: 38,
  // Kinds of jobs are called as on their screen.
  load: () => Promise.all([import('./index'), loadFeatureTexts('jobs')]).then(([screen]) => screen),
});
