import { ClusterOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';
import { loadFeatureTexts } from '../../lib/i18n';

export default defineFeature({
  key: 'partner_page',
  title: { hu: 'Partner', en: 'Partner' },
  parent: 'partners',
  scope: 'platform',
  needsPath: true,
  icon: ClusterOutlined,
  permission: ['super_admin'],
  order: 20,
  // States and modes are called as in the list.
  load: async () => (await Promise.all([import('./index'), loadFeatureTexts('partners')]))[0],
});
