import { AuditOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'audit',
  title: { hu: 'Napló', en: 'Audit log' },
  group: 'system',
  scope: 'anywhere',
  icon: AuditOutlined,
  permission: ['system_general'],
  order: 90,
  load: () => import('./index'),
});
