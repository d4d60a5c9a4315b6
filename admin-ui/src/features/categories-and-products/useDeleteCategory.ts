import { useTranslation } from 'react-i18next';
import { productCategoriesDelete } from '../../generated/client/catalogue/catalogue';
import { here } from '../../lib/target';
import { keys } from './shared/api';
import { useDelete } from './shared/parts';
import type { ProductCategory } from './shared/types';

/** Deletes a category, or says what is still in it. `leave` goes away from a page that shows it. */
export function useDeleteCategory(): (
  row: ProductCategory,
  leave?: () => void | Promise<void>,
) => Promise<void> {
  const { t } = useTranslation();
  const remove = useDelete();
  return (row, leave) =>
    remove(row, () => productCategoriesDelete(...here(), row.id), {
      inUse:
        row.children_count > 0
          ? t('product_categories.in_use_children', { count: row.children_count })
          : t('product_categories.in_use_products', { count: row.product_count }),
      ...(leave ? { gone: [keys.category(row.id), keys.allProducts(row.id)], leave } : {}),
    });
}
