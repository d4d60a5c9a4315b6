import { RocketOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'release_info',
  title: { hu: 'Újdonságok', en: 'What is new' },
  group: 'other',
  scope: 'anywhere',
  icon: RocketOutlined,
  permission: ['admin_login'],
  order: 98,
  load: () => import('./index'),
});
