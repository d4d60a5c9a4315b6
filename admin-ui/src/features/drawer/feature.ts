import { WalletOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'drawer',
  title: { hu: 'Kassza', en: 'Drawer' },
  group: 'orders',
  icon: WalletOutlined,
  permission: ['order_accept', 'pos_courier_summary'],
  order: 30,
  // Orders are called as on their page, with its texts.
  texts: ['order'],
  load: () => import('./index'),
});
