import { ApartmentOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';
import { loadFeatureTexts } from '../../lib/i18n';

export default defineFeature({
  key: 'restaurant_groups',
  title: { hu: 'Étteremcsoportok', en: 'Restaurant groups' },
  group: 'restaurant_data',
  icon: ApartmentOutlined,
  permission: ['restaurant_general'],
  order: 90,
  resources: ['restaurant_groups'],
  // Archived restaurants look as on a partner's page in the console.
  load: async () =>
    (
      await Promise.all([import('./index'), loadFeatureTexts('partner-page'), loadFeatureTexts('partners')])
    )[0],
});
