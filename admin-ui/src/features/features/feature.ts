import { AppstoreOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'features',
  title: { hu: 'Funkciók', en: 'Features' },
  group: 'system',
  icon: AppstoreOutlined,
  permission: ['system_general'],
  order: 20,
  resources: [],
  load: () => import('./index'),
});
