import { RollbackOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'storno_report',
  title: { hu: 'Sztornókimutatás', en: 'Storno report' },
  group: 'orders',
  icon: RollbackOutlined,
  permission: ['all_order'],
  order: 27,
  // Standard reasons are called as in the dialogs, with their texts.
  texts: ['order'],
  load: () => import('./index'),
});
