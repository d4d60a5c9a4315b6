import { FileExcelOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'order_export',
  title: { hu: 'Rendelések exportja', en: 'Order export' },
  group: 'order_export',
  icon: FileExcelOutlined,
  permission: ['order_export'],
  order: 10,
  load: () => import('./index'),
});
