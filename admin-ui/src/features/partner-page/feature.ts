import { ClusterOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'partner_page',
  title: { hu: 'Partner', en: 'Partner' },
  parent: 'partners',
  scope: 'platform',
  needsPath: true,
  icon: ClusterOutlined,
  permission: ['super_admin'],
  order: 20,
  // States and modes are called as in the list.
  texts: ['partners'],
  load: () => import('./index'),
});
