import { SendOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'push_notification',
  title: { hu: 'Push értesítések', en: 'Push notifications' },
  group: 'editors',
  icon: SendOutlined,
  permission: ['push_notification'],
  switch: 'push',
  order: 20,
  resources: ['push_notifications'],
  load: () => import('./index'),
});
