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
  // Details of a person are called as on the page of the own account.
  load: async () => (await Promise.all([import('./index'), loadFeatureTexts('account')]))[0],
});
