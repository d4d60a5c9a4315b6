import { FilePdfOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'documentations_admin',
  title: { hu: 'Dokumentumok', en: 'Documents' },
  group: 'platform',
  scope: 'platform',
  icon: FilePdfOutlined,
  permission: ['super_admin'],
  order: 80,
  resources: ['documentations'],
  load: () => import('./index'),
});
