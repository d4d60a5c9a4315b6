import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { request } from '../../../lib/http';
import { fillPath } from '../../../lib/target';
import type {
  Allergen,
  Option,
  OptionGroup,
  PosColor,
  Product,
  ProductCategory,
  ProductShort,
  Vat,
} from './types';

const R = '/admin/partners/{partner_id}/restaurants/{restaurant_id}';
const CATEGORIES = `${R}/product-categories`;
const PRODUCTS = `${CATEGORIES}/{category_id}/products`;
const GROUPS = `${R}/option-groups`;
const OPTIONS = `${GROUPS}/{option_group_id}/options`;

type Params = Record<string, string>;
type Body = Record<string, unknown>;

const read = async <T>(
  path: string,
  params: Params = {},
  query: Record<string, string | undefined> = {},
): Promise<T> => {
  const search = new URLSearchParams(
    Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  return (await request<T>(`${fillPath(path, params)}${search.size ? `?${search}` : ''}`)).data;
};
const write = async <T>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  params: Params,
  body?: Body,
  key?: string,
): Promise<T> =>
  (
    await request<T>(fillPath(path, params), {
      method,
      ...(body ? { body } : {}),
      ...(key ? { headers: { 'Idempotency-Key': key } } : {}),
    })
  ).data;

/** A collection of rows: its calls by their usual names. `params` fill the path above the row. */
const rows = <T>(path: string, rankBody: string) => ({
  list: (params: Params = {}, query = {}) => read<T[]>(path, params, query),
  get: (id: string, params: Params = {}) => read<T>(`${path}/{id}`, { ...params, id }),
  create: (body: Body, key: string, params: Params = {}) => write<T>('POST', path, params, body, key),
  update: (id: string, body: Body, params: Params = {}) =>
    write<T>('PUT', `${path}/{id}`, { ...params, id }, body),
  remove: (id: string, params: Params = {}) => write<undefined>('DELETE', `${path}/{id}`, { ...params, id }),
  rank: (ids: readonly string[], params: Params = {}) =>
    write<undefined>('PUT', `${path}/ranking`, params, { [rankBody]: ids }),
});

export const categoryCalls = rows<ProductCategory>(CATEGORIES, 'product_category_ids');
export const productCalls = {
  ...rows<Product>(PRODUCTS, 'product_ids'),
  /** Over all categories, accents ignored. */
  find: (name: string) => read<ProductShort[]>(`${CATEGORIES}/all/products`, {}, { name }),
  move: (id: string, from: string, to: string) =>
    write<Product>(
      'PUT',
      `${PRODUCTS}/{id}/move`,
      { category_id: from, id },
      { new_product_category_id: to },
    ),
};
export const groupCalls = {
  ...rows<OptionGroup>(GROUPS, 'option_group_ids'),
  copy: (id: string, key: string) =>
    write<OptionGroup>('POST', `${GROUPS}/{id}/copy`, { id }, undefined, key),
};
export const optionCalls = {
  ...rows<Option>(OPTIONS, 'option_ids'),
  move: (id: string, from: string, to: string) =>
    write<Option>('PUT', `${OPTIONS}/{id}/move`, { option_group_id: from, id }, { option_group_id: to }),
};

/**
 * One family of keys, so that a write can refresh whatever it touched: counts, effective values, other lists.
 */
const KEY = 'catalogue';
export const keys = {
  categories: (name?: string) => [KEY, 'categories', name ?? ''],
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

const query = (name?: string) => (name ? { name } : {});

/** All categories of both levels; with a name those that fit it. */
export const useCategories = (name?: string) =>
  useQuery({
    queryKey: keys.categories(name),
    queryFn: () => categoryCalls.list({}, query(name)),
    placeholderData: keepPreviousData,
  });
export const useProducts = (category: string, name?: string, enabled = true) =>
  useQuery({
    queryKey: keys.products(category, name),
    queryFn: () => productCalls.list({ category_id: category }, query(name)),
    placeholderData: keepPreviousData,
    enabled,
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
const useReference = <T>(name: string, path: string) =>
  useQuery({ queryKey: ['reference', name], queryFn: () => read<T[]>(path), staleTime: HOUR, gcTime: HOUR })
    .data;
export const useVats = (): Vat[] | undefined => useReference<Vat>('vats', '/vats');
export const useAllergens = (): Allergen[] | undefined =>
  useReference<Allergen>('allergens', '/admin/allergens');
export const useColors = (): PosColor[] | undefined =>
  useReference<PosColor>('pos-colors', '/admin/pos-colors');

export const useById = <T extends { id: string }>(list: readonly T[] | undefined): ReadonlyMap<string, T> =>
  useMemo(() => new Map(list?.map((row) => [row.id, row])), [list]);
