import { MobileOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'kiosk',
  title: { hu: 'Kioszkok', en: 'Kiosks' },
  group: 'kiosk',
  icon: MobileOutlined,
  permission: ['kiosk'],
  switch: 'kiosk',
  order: 10,
  resources: ['kiosks'],
  load: () => import('./index'),
});
