import { FlagOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'ntak_categories',
  title: { hu: 'NTAK-kategóriák', en: 'NTAK categories' },
  group: 'platform',
  scope: 'platform',
  icon: FlagOutlined,
  permission: ['super_admin'],
  order: 56,
  resources: ['ntak_categories'],
  // Categories and units of the tax report are called as in the catalogue, with its texts.
  texts: ['categories-and-products'],
  load: () => import('./index'),
});
