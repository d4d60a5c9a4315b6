import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  allergensList,
  optionGroupsCopy,
  optionGroupsSizes,
  optionsMove,
  posColorsList,
  productsCopy,
  productsMove,
  productsPick,
  vatsList,
} from '../../../generated/client/catalogue/catalogue';
import { request } from '../../../lib/http';
import { collectionPath, itemPath } from '../../../lib/providers/data';
import { resourceInfo, type ResourceName } from '../../../lib/resources';
import { fillPath, here } from '../../../lib/target';
import type { Allergen, Option, OptionGroup, PosColor, Product, ProductCategory, Vat } from './types';

type Params = Record<string, string>;
type Body = Record<string, unknown>;

const write = async <T>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: Body, key?: string) =>
  (
    await request<T>(path, {
      method,
      ...(body ? { body } : {}),
      ...(key ? { headers: { 'Idempotency-Key': key } } : {}),
    })
  ).data;

/** A resource's calls by their usual names. `params` fill the path above the row. */
const rows = <T>(resource: ResourceName) => ({
  list: async (params: Params = {}, query: Params = {}) => {
    const search = new URLSearchParams(query);
    const path = collectionPath(resource, params);
    return (await request<T[]>(search.size ? `${path}?${search}` : path)).data;
  },
  get: async (id: string, params: Params = {}) =>
    (await request<T>(itemPath(resource, id, params, true))).data,
  create: (body: Body, key: string, params: Params = {}) =>
    write<T>('POST', collectionPath(resource, params), body, key),
  update: (id: string, body: Body, params: Params = {}) =>
    write<T>('PUT', itemPath(resource, id, params), body),
  remove: (id: string, params: Params = {}) => write<undefined>('DELETE', itemPath(resource, id, params)),
  rank: (ids: readonly string[], params: Params = {}) => {
    const { rankPath, rankBody } = resourceInfo(resource);
    return write<undefined>('PUT', fillPath(rankPath!, params), { [rankBody!]: ids });
  },
});

export const categoryCalls = rows<ProductCategory>('product_categories');
export const productCalls = {
  ...rows<Product>('products'),
  /** Over all categories, accents ignored. */
  find: (name: string) => productsPick(...here(), { name }),
  copy: (id: string, category: string, key: string) =>
    productsCopy(...here(), category, id, { 'Idempotency-Key': key }) as Promise<Product>,
  move: (id: string, from: string, to: string) =>
    productsMove(...here(), from, id, { new_product_category_id: to }) as Promise<Product>,
};
export const groupCalls = {
  ...rows<OptionGroup>('option_groups'),
  copy: (id: string, key: string) =>
    optionGroupsCopy(...here(), id, { headers: { 'Idempotency-Key': key } }) as Promise<OptionGroup>,
  /** Gives the group to sizes and takes it from others, in one call. */
  sizes: (id: string, add: string[], remove: string[]) =>
    optionGroupsSizes(...here(), id, { add, remove }) as Promise<OptionGroup>,
};
export const optionCalls = {
  ...rows<Option>('options'),
  move: (id: string, from: string, to: string) =>
    optionsMove(...here(), from, id, { option_group_id: to }) as Promise<Option>,
};

/**
 * One family of keys, so a write can refresh all it may affect: counts, effective values, other lists.
 */
const KEY = 'catalogue';
export const keys = {
  categories: (name?: string) => [KEY, 'categories', name ?? ''],
  /** All categories with all their products. */
  whole: () => [KEY, 'whole'],
  category: (id: string) => [KEY, 'category', id],
  allProducts: (category: string) => [KEY, 'products', category],
  products: (category: string, name?: string) => [KEY, 'products', category, name ?? ''],
  product: (id: string) => [KEY, 'product', id],
  productSearch: (name: string) => [KEY, 'product-search', name],
  groups: (name?: string) => [KEY, 'groups', name ?? ''],
  group: (id: string) => [KEY, 'group', id],
  /** Of all searches in the group. */
  allOptions: (group: string) => [KEY, 'options', group],
  options: (group: string, name?: string) => [KEY, 'options', group, name ?? ''],
  option: (id: string) => [KEY, 'option', id],
};

/**
 * Reads again what is shown after a write. `row` was just answered under `key` and need not be read again;
 * `into` is the whole list that it belongs to and stands in at once: its own page, opened before the list is
 * there again, must not take it for a row that is gone. `gone` begins the keys of what no longer exists (a
 * page that still shows it is about to be left).
 */
export const useRefreshCatalogue = () => {
  const client = useQueryClient();
  return ({
    key,
    into,
    row,
    gone = [],
  }: {
    key?: readonly unknown[];
    into?: readonly unknown[];
    row?: { id: string };
    gone?: readonly (readonly unknown[])[];
  } = {}) => {
    if (key) client.setQueryData(key, row);
    if (into && row)
      client.setQueryData<{ id: string }[]>(
        into,
        (old) =>
          old &&
          (old.some((other) => other.id === row.id)
            ? old.map((other) => (other.id === row.id ? row : other))
            : [...old, row]),
      );
    const skipped = [...(key ? [key] : []), ...gone];
    const begins = (whole: readonly unknown[], part: readonly unknown[]) =>
      part.every((step, at) => whole[at] === step);
    return client.invalidateQueries({
      queryKey: [KEY],
      predicate: ({ queryKey }) => !skipped.some((prefix) => begins(queryKey, prefix)),
    });
  };
};

const query = (name?: string): Params => (name ? { name } : {});

/** All categories of both levels; with a name those that fit it. */
export const useCategories = (name?: string) =>
  useQuery({
    queryKey: keys.categories(name),
    queryFn: () => categoryCalls.list({}, query(name)),
    placeholderData: keepPreviousData,
  });
/** The whole menu, read anew each time: whoever chooses among all sizes sees them as they are. */
export const useWholeMenu = () =>
  useQuery({
    queryKey: keys.whole(),
    queryFn: () => categoryCalls.list({}, { all_products: 'true' }),
    staleTime: 0,
  });
export const useProducts = (category: string, name?: string) =>
  useQuery({
    queryKey: keys.products(category, name),
    queryFn: () => productCalls.list({ category_id: category }, query(name)),
    placeholderData: keepPreviousData,
  });
export const useProductSearch = (name: string) =>
  useQuery({
    queryKey: keys.productSearch(name),
    queryFn: () => productCalls.find(name),
    enabled: name !== '',
    placeholderData: keepPreviousData,
  });
export const useGroups = (name?: string) =>
  useQuery({
    queryKey: keys.groups(name),
    queryFn: () => groupCalls.list({}, query(name)),
    placeholderData: keepPreviousData,
  });
export const useOptions = (group: string, name?: string) =>
  useQuery({
    queryKey: keys.options(group, name),
    queryFn: () => optionCalls.list({ option_group_id: group }, query(name)),
    placeholderData: keepPreviousData,
  });

/** Reference rows are the same everywhere and change once in years. */
const HOUR = 3_600_000;
const useReference = <T>(name: string, list: () => Promise<T[]>) =>
  useQuery({ queryKey: ['reference', name], queryFn: list, staleTime: HOUR, gcTime: HOUR }).data;
/** Archived rates too: they stay on what uses them, and are offered nowhere else. */
export const useVats = (): Vat[] | undefined => useReference('vats', () => vatsList({ archived: true }));
export const useAllergens = (): Allergen[] | undefined => useReference('allergens', () => allergensList());
export const useColors = (): PosColor[] | undefined => useReference('pos-colors', () => posColorsList());

export const useById = <T extends { id: string }>(list: readonly T[] | undefined): ReadonlyMap<string, T> =>
  useMemo(() => new Map(list?.map((row) => [row.id, row])), [list]);
