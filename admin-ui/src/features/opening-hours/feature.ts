import { ClockCircleOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'opening_hours',
  title: { hu: 'Nyitvatartás', en: 'Opening hours' },
  group: 'restaurant_data',
  icon: ClockCircleOutlined,
  permission: ['restaurant_opening'],
  order: 20,
  resources: ['restaurant_holidays'],
  load: () => import('./index'),
});
