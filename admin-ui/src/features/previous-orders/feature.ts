import { HistoryOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'previous_orders',
  title: { hu: 'Korábbi rendelések', en: 'Previous orders' },
  group: 'orders',
  icon: HistoryOutlined,
  permission: ['all_order'],
  order: 25,
  // Rows say what the order page says, with its texts.
  texts: ['order'],
  load: () => import('./index'),
});
