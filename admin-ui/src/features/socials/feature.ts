import { ShareAltOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'socials',
  title: { hu: 'Közösségi oldalak', en: 'Socials' },
  group: 'restaurant_data',
  icon: ShareAltOutlined,
  permission: ['restaurant_general'],
  order: 50,
  resources: ['socials'],
  load: () => import('./index'),
});
