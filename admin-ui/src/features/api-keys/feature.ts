import { ApiOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'api_keys',
  title: { hu: 'API-kulcsok', en: 'API keys' },
  group: 'integrations',
  icon: ApiOutlined,
  permission: ['system_general'],
  order: 10,
  resources: ['api_keys', 'partner_api_keys'],
  load: () => import('./index'),
});
