import { UnorderedListOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: '{{many}}',
  title: { hu: '{{title_hu}}', en: '{{title_en}}' },
  group: '{{group}}',
  icon: UnorderedListOutlined,
  permission: ['{{permission}}'],
  order: 90,
  resources: ['{{many}}'],
  load: () => import('./index'),
});
