import { keepPreviousData } from '@tanstack/react-query';
import {
  productCategoriesDepot,
  productCategoriesDepots,
  productsDepot,
  productsDepots,
} from '../../generated/client/catalogue/catalogue';
import { depotsPick } from '../../generated/client/restaurants/restaurants';
import { readKey, useRead } from '../../lib/query';
import { here } from '../../lib/target';

export const useDepots = () => useRead('depotsPick', () => depotsPick(...here()));

export const useCategoryDepots = () =>
  useRead('productCategoriesDepots', () => productCategoriesDepots(...here()));

/** The products of a category, or those that a text finds. */
export const useProductDepots = (filter: { product_category_id?: string; name?: string }) =>
  useRead(readKey('productsDepots', filter), () => productsDepots(...here(), filter), {
    placeholderData: keepPreviousData,
  });

export const depotCalls = {
  category: (id: string, depot_id: string | null) => productCategoriesDepot(...here(), id, { depot_id }),
  product: (id: string, depot_id: string | null) => productsDepot(...here(), id, { depot_id }),
};
