import { StopOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'storno_reasons',
  title: { hu: 'Sztornóokok', en: 'Storno reasons' },
  group: 'pos',
  icon: StopOutlined,
  permission: ['pos_settings'],
  order: 50,
  resources: ['storno_reasons'],
  load: () => import('./index'),
});
