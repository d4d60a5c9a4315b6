import { BellOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';
import { loadFeatureTexts } from '../../lib/i18n';

export default defineFeature({
  key: 'fresh_orders',
  title: { hu: 'Friss rendelések', en: 'Fresh orders' },
  group: 'orders',
  icon: BellOutlined,
  permission: ['fresh_order'],
  order: 10,
  // Cards show the same facts as the order page, with its texts; SOS close and busy have texts of their own.
  load: () =>
    Promise.all([
      import('./index'),
      loadFeatureTexts('order'),
      loadFeatureTexts('sos-close'),
      loadFeatureTexts('busy'),
    ]).then(([screen]) => screen),
});
