import { CloudDownloadOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'company_export',
  title: { hu: 'Teljes céges export', en: 'Company export' },
  group: 'order_export',
  icon: CloudDownloadOutlined,
  // The service gives the archive only to users with all rights of the whole company.
  permission: ['full_target_access@partner'],
  order: 30,
  // The exports look as a partner's do in the console.
  texts: ['partner-page', 'partners'],
  load: () => import('./index'),
});
