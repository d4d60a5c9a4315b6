import { ControlOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'options',
  title: { hu: 'Opciók', en: 'Options' },
  group: 'products',
  icon: ControlOutlined,
  permission: ['order'],
  order: 20,
  // The fields and lists are those of the catalogue, and so are their texts.
  resources: ['option_groups', 'options'],
  texts: ['categories-and-products'],
  load: () => import('./index'),
});
