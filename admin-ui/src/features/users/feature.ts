import { TeamOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';
import { loadFeatureTexts } from '../../lib/i18n';

export default defineFeature({
  key: 'users',
  title: { hu: 'Felhasználók', en: 'Users' },
  group: 'user',
  icon: TeamOutlined,
  permission: ['user'],
  order: 10,
  // The editor's frame and comparison are the catalogue's, and so are their texts.
  load: async () => (await Promise.all([import('./index'), loadFeatureTexts('categories-and-products')]))[0],
});
