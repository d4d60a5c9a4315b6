import { MobileOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'terminals',
  title: { hu: 'Kártyaterminálok', en: 'Card terminals' },
  group: 'pos',
  icon: MobileOutlined,
  permission: [],
  order: 60,
  resources: ['terminal_schemes'],
  load: () => import('./index'),
});
