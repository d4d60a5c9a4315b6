import { EyeOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'menu_preview',
  title: { hu: 'Étlap előnézete', en: 'Menu preview' },
  group: 'products',
  icon: EyeOutlined,
  permission: ['order'],
  order: 50,
  load: () => import('./index'),
});
