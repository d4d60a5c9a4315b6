import type { Order } from './model';

/** An order for tests of this folder and of the fresh orders. */
export const sampleOrder = (part: Partial<Order> = {}): Order => ({
  id: 'o1', counter: 'A-012', status: 'succeeded', platform: 'browser', locale: 'hu', currency: 'huf', pickup: false, is_preorder: false, is_test: false,
  first_name: 'Réka', last_name: 'Kovács', phone_1: '+36301234567', email: 'reka@pult.example', message: null,
  delivery_data: { postcode: '1061', city: 'Budapest', street: 'Szív utca', premise_number: '14' },
  payment_method: { id: 'm1', payment_key: 'cash', payment_type: 'cash', name: 'Készpénz', name_en: 'Cash', paid_online: false },
  products_price: 9050, delivery_price: 0, discount_price: 0, original_price: 9050, service_fee: 0, tip: 0, employee_tip: 0, courier_tip: 0, system_usage_fee: 0, total_price: 9050,
  vats: [{ percent: 27, net: 6512, vat: 1758, gross: 8270 }, { percent: 5, net: 743, vat: 37, gross: 780 }],
  lines: [], expected_at: null, show_at: '2026-11-20T10:58:00Z', created_at: '2026-11-20T10:58:00Z', version: 1,
  items: [
    {
      id: 'i1', subproduct_id: 's1', product: { name: 'Csirkepaprikás', name_sec_lang: 'Chicken paprikash' }, subproduct: { name: 'Nagy', name_sec_lang: 'Large' },
      quantity: 2, unit_price: 4135, total_price: 8270, vat_percent: 27, message: 'kapor nélkül',
      item_options: [{ option_id: 'p1', option: { name: 'Tejföl', name_sec_lang: 'Sour cream' }, group_name: 'Feltét', quantity: 2, unit_price: 290, total_price: 1160 }],
    },
    { id: 'i2', subproduct_id: 's2', product: { name: 'Szódavíz' }, subproduct: { name: '0,5 l' }, quantity: 2, unit_price: 390, total_price: 780, vat_percent: 5, message: null, item_options: [] },
  ],
  payable_transactions: [], allowed: ['accept', 'archive'],
  ...part,
});
