import { useQueryClient } from '@tanstack/react-query';
import {
  featuredProductsCreate,
  featuredProductsDelete,
  featuredProductsList,
  featuredProductsRank,
  productsPick,
} from '../../generated/client/catalogue/catalogue';
import type { FeaturedProduct } from '../../generated/model';
import { newKey } from '../../lib/idempotency';
import { readKey, useRead } from '../../lib/query';
import { here } from '../../lib/target';
import { useRefreshCatalogue } from '../categories-and-products/shared/api';

// Below the catalogue's key: what is renamed, switched off or archived there is read again here.
const FEATURED = readKey('featuredProductsList');
/** Products are read whole for choosing. */
const ALL = 10_000;

/** The featured products in their order. */
export const useFeatured = () => useRead(FEATURED, () => featuredProductsList(...here()));

/** All products of the menu, in its order. */
export const useProductChoices = () =>
  useRead('productsPick', () => productsPick(...here(), { limit: ALL }), { staleTime: 60_000 }).data;

/** The ids that are there, in this order; those that are not named come last. */
export const completed = (ids: readonly string[], there: readonly string[]): string[] => [
  ...ids.filter((id) => there.includes(id)),
  ...there.filter((id) => !ids.includes(id)),
];

/** The calls that write, and reading again after them. */
export function useFeaturedCalls() {
  const client = useQueryClient();
  const refresh = useRefreshCatalogue();
  return {
    refresh: () => refresh(),
    add: async (product: string): Promise<FeaturedProduct> => {
      const made = await featuredProductsCreate(
        ...here(),
        { product_id: product },
        { 'Idempotency-Key': newKey() },
      );
      await refresh();
      return made;
    },
    remove: async (id: string) => {
      await featuredProductsDelete(...here(), id);
      await refresh();
    },
    /** An order that is taken back may be older than rows that were added or removed since. */
    rank: async (ids: readonly string[]) => {
      const there = client.getQueryData<FeaturedProduct[]>(FEATURED)?.map((row) => row.id) ?? ids;
      await featuredProductsRank(...here(), { featured_product_ids: completed(ids, there) });
    },
    /** Features a removed product again, at its place in the order before. */
    restore: async (row: FeaturedProduct, before: readonly string[]) => {
      const made = await featuredProductsCreate(
        ...here(),
        { product_id: row.product_id },
        { 'Idempotency-Key': newKey() },
      );
      const there = (await featuredProductsList(...here())).map(({ id }) => id);
      const order = before.map((id) => (id === row.id ? made.id : id));
      await featuredProductsRank(...here(), { featured_product_ids: completed(order, there) });
      await refresh();
    },
  };
}
