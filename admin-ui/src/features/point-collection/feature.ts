import { GiftOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'point_collection',
  title: { hu: 'Pontgyűjtés', en: 'Point collection' },
  group: 'restaurant_data',
  icon: GiftOutlined,
  permission: ['restaurant_general'],
  noEffectWithout: 'loyalty',
  order: 60,
  resources: ['restaurants_points'],
  load: () => import('./index'),
});
