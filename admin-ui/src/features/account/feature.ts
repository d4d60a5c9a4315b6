import { IdcardOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

/** Reached from the user menu. */
export default defineFeature({
  key: 'my_account',
  title: { hu: 'Fiókom', en: 'My account' },
  icon: IdcardOutlined,
  scope: 'anywhere',
  permission: ['no_perm_required'],
  order: 0,
  load: () => import('./index'),
});
