import type { Menu, MenuOptionGroup, MenuSubproduct } from '../../generated/model';

export const size = (id: string, name: string, part: Partial<MenuSubproduct> = {}): MenuSubproduct =>
  ({
    id,
    name,
    price: 1000,
    available: true,
    sellable_quantity: null,
    option_group_ids: [],
    allergens: [],
    components: [],
    deposit_pieces: 0,
    service_fee: false,
    ...part,
  }) as MenuSubproduct;

export const group = (
  id: string,
  [min, max]: [number, number],
  options: readonly string[],
): MenuOptionGroup => ({
  id,
  name: id,
  type: 'min_max',
  min_no_options: min,
  max_no_options: max,
  options: options.map((one) => ({ id: one, name: one, price: 100, allergens: [], deposit_pieces: 0 })),
});

type Products = Record<string, MenuSubproduct[]>;

/** A menu of categories with their products by name. */
export const menu = (categories: Record<string, Products>, groups: MenuOptionGroup[] = []): Menu =>
  ({
    channel: 'phone',
    version: 1,
    option_groups: groups,
    restaurant: { currency: 'huf', default_tip: null },
    categories: Object.entries(categories).map(([name, products]) => ({
      id: name,
      name,
      children: [],
      time_ranges: [],
      products: Object.entries(products).map(([product, subproducts]) => ({
        id: product,
        name: product,
        subproducts,
      })),
    })),
  }) as unknown as Menu;

export const MENU = menu(
  {
    Pizza: {
      Margherita: [size('m32', '32 cm', { option_group_ids: ['dough'] }), size('m45', '45 cm')],
      'Négysajtos pizza': [size('n', 'Négysajtos pizza')],
      '4 évszak': [size('e', '4 évszak', { available: false })],
    },
    Ital: { 'Cola Zero': [size('c', 'Cola Zero', { sellable_quantity: 3 })] },
  },
  [group('dough', [1, 1], ['thin', 'thick'])],
);
