import { CarOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'couriers',
  title: { hu: 'Futárok', en: 'Couriers' },
  group: 'courier',
  icon: CarOutlined,
  permission: ['courier'],
  order: 10,
  resources: ['couriers'],
  load: () => import('./index'),
});
