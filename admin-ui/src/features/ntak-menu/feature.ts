import { FlagOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'ntak_menu',
  title: { hu: 'Étlap NTAK-besorolása', en: 'NTAK categories of the menu' },
  parent: 'categories_and_products',
  icon: FlagOutlined,
  permission: ['catalog_edit'],
  order: 26,
  // Categories and units of the tax report are called as in the catalogue, with its texts.
  texts: ['categories-and-products'],
  load: () => import('./index'),
});
