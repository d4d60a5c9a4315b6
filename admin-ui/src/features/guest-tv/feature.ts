import { DesktopOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'guest_tv',
  title: { hu: 'Vendég TV', en: 'Guest TV' },
  group: 'tv',
  icon: DesktopOutlined,
  permission: ['tv'],
  switch: 'tv',
  order: 10,
  resources: ['restaurant_tvs'],
  load: () => import('./index'),
});
