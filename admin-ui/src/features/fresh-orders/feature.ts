import { BellOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'fresh_orders',
  title: { hu: 'Friss rendelések', en: 'Fresh orders' },
  group: 'orders',
  icon: BellOutlined,
  permission: ['fresh_order'],
  order: 10,
  // Cards show the same facts as the order page, with its texts; SOS close and busy have texts of their own.
  texts: ['order', 'sos-close', 'busy'],
  load: () => import('./index'),
});
