import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  productCategoriesDepot,
  productCategoriesDepots,
  productsDepot,
  productsDepots,
} from '../../generated/client/catalogue/catalogue';
import { depotsPick } from '../../generated/client/restaurants/restaurants';
import { here } from '../../lib/target';

// Below the catalogue's key: what is renamed or archived there is read again here.
const KEY = ['catalogue', 'depots'];

export const useDepots = () =>
  useQuery({ queryKey: [...KEY, 'names'], queryFn: () => depotsPick(...here()) });

export const useCategoryDepots = () =>
  useQuery({ queryKey: [...KEY, 'categories'], queryFn: () => productCategoriesDepots(...here()) });

/** The products of a category, or those that a text finds. */
export const useProductDepots = (filter: { product_category_id?: string; name?: string }) =>
  useQuery({
    queryKey: [...KEY, 'products', filter],
    queryFn: () => productsDepots(...here(), filter),
    placeholderData: keepPreviousData,
  });

export const depotCalls = {
  category: (id: string, depot_id: string | null) => productCategoriesDepot(...here(), id, { depot_id }),
  product: (id: string, depot_id: string | null) => productsDepot(...here(), id, { depot_id }),
};
