import { ApartmentOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'restaurant_groups',
  title: { hu: 'Étteremcsoportok', en: 'Restaurant groups' },
  group: 'restaurant_data',
  icon: ApartmentOutlined,
  permission: ['restaurant_general'],
  order: 90,
  resources: ['restaurant_groups'],
  // Archived restaurants look as on a partner's page in the console.
  texts: ['partner-page', 'partners'],
  load: () => import('./index'),
});
