import { productCategoriesCreate, productsCreate } from '../../generated/client/catalogue/catalogue';
import { here } from '../../lib/target';
import type { Language } from '../../lib/format';
import type { KeyFor } from '../../lib/idempotency';

/** A small menu to begin with: categories, and products with their prices in forints. */
const EXAMPLE: Record<
  Language,
  readonly (readonly [category: string, products: readonly (readonly [name: string, price: number])[]])[]
> = {
  hu: [
    [
      'Levesek',
      [
        ['Húsleves', 1890],
        ['Paradicsomleves', 1590],
      ],
    ],
    [
      'Főételek',
      [
        ['Rántott csirkemell rizzsel', 3290],
        ['Túrós csusza', 2690],
      ],
    ],
    ['Italok', [['Szénsavmentes víz 0,5 l', 590]]],
  ],
  en: [
    [
      'Soups',
      [
        ['Meat soup', 1890],
        ['Tomato soup', 1590],
      ],
    ],
    [
      'Main dishes',
      [
        ['Fried chicken breast with rice', 3290],
        ['Cottage cheese noodles', 2690],
      ],
    ],
    ['Drinks', [['Still water 0.5 l', 590]]],
  ],
};
/** Forints for one unit of another currency. Example prices need no exact rate. */
const FORINTS_PER_UNIT = 400;

/**
 * Makes the example menu through the same calls as the screen of products. What was made before a failure is
 * not made again when it is repeated with the same keys.
 */
export async function makeExample(language: Language, currency: string, keyFor: KeyFor): Promise<void> {
  for (const [name, products] of EXAMPLE[language]) {
    const body = { name };
    const category = await productCategoriesCreate(...here(), body, {
      'Idempotency-Key': keyFor(body, name),
    });
    for (const [product, forints] of products) {
      const base_price = currency === 'huf' ? String(forints) : (forints / FORINTS_PER_UNIT).toFixed(2);
      const row = { name: product, base_price: Number(base_price) };
      await productsCreate(...here(), category.id, row, { 'Idempotency-Key': keyFor(row, product) });
    }
  }
}
