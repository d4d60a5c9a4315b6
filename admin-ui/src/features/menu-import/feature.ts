import { ImportOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'menu_import',
  title: { hu: 'Étlap importálása', en: 'Menu import' },
  parent: 'categories_and_products',
  icon: ImportOutlined,
  permission: ['catalog_edit'],
  order: 25,
  load: () => import('./index'),
});
