import { MailOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'order_emails',
  title: { hu: 'Rendelési e-mailek', en: 'Order e-mails' },
  group: 'system',
  icon: MailOutlined,
  permission: ['system_general'],
  order: 15,
  resources: ['order_emails'],
  load: () => import('./index'),
});
