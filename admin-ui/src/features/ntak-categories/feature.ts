import { FlagOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';
import { loadFeatureTexts } from '../../lib/i18n';

export default defineFeature({
  key: 'ntak_categories',
  title: { hu: 'NTAK-kategóriák', en: 'NTAK categories' },
  group: 'platform',
  scope: 'platform',
  icon: FlagOutlined,
  permission: ['super_admin'],
  order: 56,
  resources: ['ntak_categories'],
  // Categories and units of the tax report are called as in the catalogue, with its texts.
  load: async () => (await Promise.all([import('./index'), loadFeatureTexts('categories-and-products')]))[0],
});
