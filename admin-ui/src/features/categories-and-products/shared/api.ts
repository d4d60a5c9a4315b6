import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  allergensList,
  catalogueChangesGet,
  ntakCategoriesList,
  optionGroupsCopy,
  optionGroupsCreate,
  optionGroupsGet,
  optionGroupsList,
  optionGroupsSizes,
  optionGroupsUpdate,
  optionsCreate,
  optionsGet,
  optionsList,
  optionsMove,
  optionsUpdate,
  posColorsList,
  productCategoriesCreate,
  productCategoriesGet,
  productCategoriesList,
  productCategoriesUpdate,
  productsCopy,
  productsCreate,
  productsGet,
  productsList,
  productsMove,
  productsPick,
  productsUpdate,
  vatsList,
} from '../../../generated/client/catalogue/catalogue';
import type {
  NewOption,
  NewOptionGroup,
  NewProduct,
  NewProductCategory,
  OptionGroupsListParams,
  ProductCategoriesListParams,
} from '../../../generated/model';
import { readKey, type Key, useForget, useRead } from '../../../lib/query';
import { here } from '../../../lib/target';
import type { Body } from '../../../lib/form/body';
import type { WhoChanged } from '../../../lib/form/ChangedMeanwhile';
import type {
  Allergen,
  NtakCategory,
  Option,
  OptionGroup,
  PosColor,
  Product,
  ProductCategory,
  Vat,
} from './types';

const idempotency = (key: string) => ({ 'Idempotency-Key': key });

// The calls whose answers these screens take as their own types (`types.ts`); bodies are made field by field.
export const categoryCalls = {
  list: (query: ProductCategoriesListParams) =>
    productCategoriesList(...here(), query) as Promise<ProductCategory[]>,
  get: (id: string) => productCategoriesGet(...here(), id) as Promise<ProductCategory>,
  create: (body: Body, key: string) =>
    productCategoriesCreate(
      ...here(),
      body as unknown as NewProductCategory,
      idempotency(key),
    ) as Promise<ProductCategory>,
  update: (id: string, body: Body) =>
    productCategoriesUpdate(...here(), id, body) as Promise<ProductCategory>,
};
export const productCalls = {
  list: (category: string, query: { name?: string }) =>
    productsList(...here(), category, query) as Promise<Product[]>,
  /** Over all categories, accents ignored. */
  find: (name: string) => productsPick(...here(), { name }),
  get: (category: string, id: string) => productsGet(...here(), category, id) as Promise<Product>,
  create: (category: string, body: Body, key: string) =>
    productsCreate(...here(), category, body as unknown as NewProduct, idempotency(key)) as Promise<Product>,
  update: (category: string, id: string, body: Body) =>
    productsUpdate(...here(), category, id, body) as Promise<Product>,
  copy: (category: string, id: string, key: string) =>
    productsCopy(...here(), category, id, idempotency(key)) as Promise<Product>,
  move: (from: string, id: string, to: string) =>
    productsMove(...here(), from, id, { new_product_category_id: to }) as Promise<Product>,
};
export const groupCalls = {
  list: (query: OptionGroupsListParams) => optionGroupsList(...here(), query) as Promise<OptionGroup[]>,
  get: (id: string) => optionGroupsGet(...here(), id) as Promise<OptionGroup>,
  create: (body: Body, key: string) =>
    optionGroupsCreate(
      ...here(),
      body as unknown as NewOptionGroup,
      idempotency(key),
    ) as Promise<OptionGroup>,
  update: (id: string, body: Body) => optionGroupsUpdate(...here(), id, body) as Promise<OptionGroup>,
  copy: (id: string, key: string) =>
    optionGroupsCopy(...here(), id, { headers: idempotency(key) }) as Promise<OptionGroup>,
  /** Gives the group to sizes and takes it from others, in one call. */
  sizes: (id: string, add: string[], remove: string[]) =>
    optionGroupsSizes(...here(), id, { add, remove }) as Promise<OptionGroup>,
};
export const optionCalls = {
  list: (group: string, query: { name?: string }) =>
    optionsList(...here(), group, query) as Promise<Option[]>,
  get: (group: string, id: string) => optionsGet(...here(), group, id) as Promise<Option>,
  create: (group: string, body: Body, key: string) =>
    optionsCreate(...here(), group, body as unknown as NewOption, idempotency(key)) as Promise<Option>,
  update: (group: string, id: string, body: Body) =>
    optionsUpdate(...here(), group, id, body) as Promise<Option>,
  move: (from: string, id: string, to: string) =>
    optionsMove(...here(), from, id, { option_group_id: to }) as Promise<Option>,
};

/** Who saved a row of the catalogue last. */
export const whoChanged: WhoChanged = (id) => catalogueChangesGet(...here(), id);

/** All that a write of the menu may affect: counts, effective values, other lists. */
export const CATALOGUE = [
  'product_categories',
  'products',
  'subproducts',
  'option_groups',
  'options',
  'featured_products',
  'sellable_quantities',
  'depots',
  'ntak_changes',
  'ntak_proposals',
  'menu_health',
  'menu_preview',
  'menuCompositionTry',
] as const;
export const keys = {
  categories: (name?: string) => readKey('productCategoriesList', name ?? ''),
  /** All categories with all their products. */
  whole: () => readKey('productCategoriesList', { all_products: true }),
  category: (id: string) => readKey('productCategoriesGet', id),
  allProducts: (category: string) => readKey('productsList', category),
  products: (category: string, name?: string) => readKey('productsList', category, name ?? ''),
  product: (id: string) => readKey('productsGet', id),
  productSearch: (name: string) => readKey('productsPick', name),
  groups: (name?: string) => readKey('optionGroupsList', name ?? ''),
  group: (id: string) => readKey('optionGroupsGet', id),
  /** Of all searches in the group. */
  allOptions: (group: string) => readKey('optionsList', group),
  options: (group: string, name?: string) => readKey('optionsList', group, name ?? ''),
  option: (id: string) => readKey('optionsGet', id),
};

/**
 * Reads again what is shown after a write. `row` was just answered under `own` and need not be read again;
 * `into` is the whole list that it belongs to and stands in at once: its own page, opened before the list is
 * there again, must not take it for a row that is gone. `gone` begins the keys of what no longer exists (a
 * page that still shows it is about to be left).
 */
export const useRefreshCatalogue = () => {
  const client = useQueryClient();
  const forget = useForget();
  return ({
    own,
    into,
    row,
    gone = [],
  }: {
    own?: Key;
    into?: Key;
    row?: { id: string };
    gone?: readonly Key[];
  } = {}) => {
    if (own) client.setQueryData(own, row);
    if (into && row)
      client.setQueryData<{ id: string }[]>(
        into,
        (old) =>
          old &&
          (old.some((other) => other.id === row.id)
            ? old.map((other) => (other.id === row.id ? row : other))
            : [...old, row]),
      );
    return forget(CATALOGUE, own ? [own, ...gone] : gone);
  };
};

const query = (name?: string) => (name ? { name } : {});

/** All categories of both levels; with a name those that fit it. */
export const useCategories = (name?: string) =>
  useRead(keys.categories(name), () => categoryCalls.list(query(name)), {
    placeholderData: keepPreviousData,
  });
/** The whole menu, read anew each time: whoever chooses among all sizes sees them as they are. */
export const useWholeMenu = () =>
  useRead(keys.whole(), () => categoryCalls.list({ all_products: true }), { staleTime: 0 });
export const useProducts = (category: string, name?: string) =>
  useRead(keys.products(category, name), () => productCalls.list(category, query(name)), {
    placeholderData: keepPreviousData,
  });
export const useProductSearch = (name: string) =>
  useRead(keys.productSearch(name), () => productCalls.find(name), {
    enabled: name !== '',
    placeholderData: keepPreviousData,
  });
export const useGroups = (name?: string) =>
  useRead(keys.groups(name), () => groupCalls.list(query(name)), { placeholderData: keepPreviousData });
export const useOptions = (group: string, name?: string) =>
  useRead(keys.options(group, name), () => optionCalls.list(group, query(name)), {
    placeholderData: keepPreviousData,
  });

/** Reference rows are the same everywhere and change once in years. */
const HOUR = 3_600_000;
const useReference = <T>(call: Parameters<typeof readKey>[0], list: () => Promise<T[]>) =>
  useRead(readKey(call), list, { staleTime: HOUR, gcTime: HOUR }).data;
/** Archived rates too: they stay on what uses them, and are offered nowhere else. */
export const useVats = (): Vat[] | undefined => useReference('vatsList', () => vatsList({ archived: true }));
/** Those too that have ended: they stay on what uses them, and are offered nowhere else. */
export const useNtakCategories = (): NtakCategory[] | undefined =>
  useReference('ntakCategoriesList', () => ntakCategoriesList({ all: true }));
export const useAllergens = (): Allergen[] | undefined =>
  useReference('allergensList', () => allergensList());
export const useColors = (): PosColor[] | undefined => useReference('posColorsList', () => posColorsList());

export const useById = <T extends { id: string }>(list: readonly T[] | undefined): ReadonlyMap<string, T> =>
  useMemo(() => new Map(list?.map((row) => [row.id, row])), [list]);
