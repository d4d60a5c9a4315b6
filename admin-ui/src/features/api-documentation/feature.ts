import { BookOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'api_documentation',
  title: { hu: 'Dokumentáció', en: 'Documentation' },
  group: 'integrations',
  icon: BookOutlined,
  permission: ['system_general'],
  order: 20,
  resources: ['documentation_files'],
  load: () => import('./index'),
});
