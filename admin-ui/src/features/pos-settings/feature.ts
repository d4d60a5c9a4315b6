import { CalculatorOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'pos_settings',
  title: { hu: 'POS-beállítások', en: 'POS settings' },
  group: 'pos',
  icon: CalculatorOutlined,
  permission: ['pos_settings'],
  order: 40,
  resources: ['pos_configs'],
  load: () => import('./index'),
});
