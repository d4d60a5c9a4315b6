import { ImportOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'menu_import',
  title: { hu: 'Étlap importálása', en: 'Menu import' },
  parent: 'categories_and_products',
  icon: ImportOutlined,
  permission: ['catalog_edit'],
  order: 25,
  // Categories and units of the tax report are called as in the catalogue, with its texts.
  texts: ['categories-and-products'],
  load: () => import('./index'),
});
