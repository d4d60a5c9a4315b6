import { ImportOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';
import { loadFeatureTexts } from '../../lib/i18n';

export default defineFeature({
  key: 'menu_import',
  title: { hu: 'Étlap importálása', en: 'Menu import' },
  parent: 'categories_and_products',
  icon: ImportOutlined,
  permission: ['catalog_edit'],
  order: 25,
  // Categories and units of the tax report are called as in the catalogue, with its texts.
  load: async () => (await Promise.all([import('./index'), loadFeatureTexts('categories-and-products')]))[0],
});
