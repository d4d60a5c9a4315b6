import { LoginOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'sign_in_provider',
  title: { hu: 'Belépési szolgáltató', en: 'Sign-in provider' },
  group: 'user',
  icon: LoginOutlined,
  permission: ['user@partner'],
  order: 20,
  load: () => import('./index'),
});
