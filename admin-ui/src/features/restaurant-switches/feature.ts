import { ControlOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'restaurant_switches',
  title: { hu: 'Étterem kapcsolói', en: 'Restaurant switches' },
  group: 'platform',
  scope: 'platform',
  icon: ControlOutlined,
  permission: ['super_admin'],
  order: 30,
  resources: ['restaurant_switches', 'restaurant_features'],
  // Categories and units of the tax report are called as in the catalogue, with its texts.
  texts: ['categories-and-products'],
  load: () => import('./index'),
});
