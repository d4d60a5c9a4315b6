import { CalculatorOutlined } from '@ant-design/icons';
import { defineFeature } from '../../lib/feature';

export default defineFeature({
  key: 'sellable_quantity',
  title: { hu: 'Eladható mennyiség', en: 'Sellable quantity' },
  group: 'products',
  icon: CalculatorOutlined,
  permission: ['order'],
  order: 50,
  resources: ['sellable_quantities'],
  load: () => import('./index'),
});
