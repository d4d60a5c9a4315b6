import { FlagOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';
import { loadFeatureTexts } from '../../lib/i18n';

/** Screens whose forms are steps of the guide. */
const FORMS = ['restaurant-general', 'legal-data', 'opening-hours', 'delivery-and-take-away'];

export default defineFeature({
  key: 'getting_started',
  title: { hu: 'Kezdeti lépések', en: 'Getting started' },
  group: 'restaurant_data',
  icon: FlagOutlined,
  permission: ['restaurant_general'],
  order: 5,
  load: async () =>
    (await Promise.all([import('./index'), ...FORMS.map((folder) => loadFeatureTexts(folder))]))[0],
});
