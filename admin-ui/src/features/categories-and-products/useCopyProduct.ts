import { usePageUrl } from '../../lib/navigation';
import { keys, productCalls } from './shared/api';
import type { Product } from './shared/types';
import { useCopy } from './shared/useCopy';

/** Copies a product with its sizes and opens the copy. */
export function useCopyProduct(): (row: Product) => Promise<void> {
  const url = usePageUrl();
  return useCopy<Product>({
    send: (row, key) => productCalls.copy(row.product_category_id, row.id, key),
    stored: (made) => ({ own: keys.product(made.id) }),
    urlOf: (made) => url('categories_and_products', `${made.product_category_id}/${made.id}`),
  });
}
