import { QuestionCircleOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'knowledge_repository',
  title: { hu: 'Segítség', en: 'Help' },
  group: 'other',
  scope: 'anywhere',
  icon: QuestionCircleOutlined,
  permission: ['admin_login'],
  order: 97,
  load: () => import('./index'),
});
