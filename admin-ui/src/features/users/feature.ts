import { TeamOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'users',
  title: { hu: 'Felhasználók', en: 'Users' },
  group: 'user',
  icon: TeamOutlined,
  permission: ['user'],
  order: 10,
  // Details of a person are called as on the page of the own account.
  texts: ['account'],
  load: () => import('./index'),
});
