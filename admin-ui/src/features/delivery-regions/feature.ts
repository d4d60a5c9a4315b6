import { CompassOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'delivery_regions',
  title: { hu: 'Kiszállítási körzetek', en: 'Delivery regions' },
  group: 'system',
  icon: CompassOutlined,
  permission: ['system_delivery_region'],
  order: 20,
  resources: ['delivery_regions', 'delivery_streets'],
  load: () => import('./index'),
});
