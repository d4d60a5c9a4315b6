import { PictureOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'media_storage',
  title: { hu: 'Képtár', en: 'Media storage' },
  group: 'depot',
  icon: PictureOutlined,
  permission: ['depot_recipe'],
  order: 90,
  resources: ['images'],
  load: () => import('./index'),
});
