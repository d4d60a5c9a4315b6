import { {{icon}} } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: '{{many}}',
  title: { hu: '{{title_hu}}', en: '{{title_en}}' },
  group: '{{group}}',
{{?platform}}
  scope: 'platform',
{{/}}
  icon: {{icon}},
  permission: ['{{permission}}{{whole}}'],
{{?parent}}
  order: 20,
{{/}}
{{?!parent}}
  order: 10,
{{/}}
  resources: ['{{many}}'],
  load: () => import('./index'),
});
