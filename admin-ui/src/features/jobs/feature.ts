import { FieldTimeOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'jobs',
  title: { hu: 'Háttérfeladatok', en: 'Jobs' },
  group: 'platform',
  scope: 'platform',
  icon: FieldTimeOutlined,
  permission: ['super_admin'],
  order: 40,
  resources: ['jobs'],
  load: () => import('./index'),
});
