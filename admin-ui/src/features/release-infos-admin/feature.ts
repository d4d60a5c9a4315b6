import { RocketOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'release_infos_admin',
  title: { hu: 'Kiadási hírek szerkesztése', en: 'Edit release notes' },
  group: 'platform',
  scope: 'platform',
  icon: RocketOutlined,
  permission: ['super_admin'],
  order: 70,
  resources: ['release_infos'],
  load: () => import('./index'),
});
