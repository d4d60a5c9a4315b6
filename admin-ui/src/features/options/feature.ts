import { ControlOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';
import { loadFeatureTexts } from '../../lib/i18n';

export default defineFeature({
  key: 'options',
  title: { hu: 'Opciók', en: 'Options' },
  group: 'products',
  icon: ControlOutlined,
  permission: ['order'],
  order: 20,
  // The fields and lists are those of the catalogue, and so are their texts.
  resources: ['option_groups', 'options'],
  load: async () => (await Promise.all([import('./index'), loadFeatureTexts('categories-and-products')]))[0],
});
