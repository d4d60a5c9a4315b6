import { FlagOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

/** Screens whose forms are steps of the guide. */
const FORMS = ['restaurant-general', 'legal-data', 'opening-hours', 'delivery-and-take-away'];

export default defineFeature({
  key: 'getting_started',
  title: { hu: 'Kezdeti lépések', en: 'Getting started' },
  group: 'restaurant_data',
  icon: FlagOutlined,
  permission: ['restaurant_general'],
  order: 5,
  texts: FORMS,
  load: () => import('./index'),
});
