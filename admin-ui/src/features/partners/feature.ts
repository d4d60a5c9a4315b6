import { ClusterOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'partners',
  title: { hu: 'Partnerek', en: 'Partners' },
  group: 'platform',
  scope: 'platform',
  icon: ClusterOutlined,
  permission: ['super_admin'],
  order: 10,
  resources: ['partners'],
  load: () => import('./index'),
});
