import { FlagOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';
import { loadFeatureTexts } from '../../lib/i18n';

export default defineFeature({
  key: 'ntak_menu',
  title: { hu: 'Étlap NTAK-besorolása', en: 'NTAK categories of the menu' },
  parent: 'categories_and_products',
  icon: FlagOutlined,
  permission: ['catalog_edit'],
  order: 26,
  // Categories and units of the tax report are called as in the catalogue, with its texts.
  load: async () => (await Promise.all([import('./index'), loadFeatureTexts('categories-and-products')]))[0],
});
