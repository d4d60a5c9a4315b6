import { BuildOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'site_builders',
  title: { hu: 'Oldalszerkesztők', en: 'Site builders' },
  group: 'editors',
  icon: BuildOutlined,
  // Super admins, and for the builder of the company who acts for the whole of it.
  permission: ['sitebuilder_login@partner'],
  order: 10,
  load: () => import('./index'),
});
