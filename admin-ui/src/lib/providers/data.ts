import type { BaseRecord, CrudFilters, DataProvider, MetaQuery } from '@refinedev/core';
import { api, counted, request } from '../http';
import { resourceInfo } from '../resources';
import { fillPath } from '../target';
import { reading } from './reading';

/** Path parameters of nested resources come in `meta.params`: `{ option_group_id }`. */
const paramsOf = (meta?: MetaQuery) => (meta?.params ?? {}) as Record<string, unknown>;

/** Address of a resource's collection. */
const collectionPath = (resource: string, params?: Record<string, unknown>): string =>
  fillPath(resourceInfo(resource).path, params);

/** Address of one row, whatever the document calls its parameter. */
export function itemPath(
  resource: string,
  id: unknown,
  params?: Record<string, unknown>,
  toRead = false,
): string {
  const info = resourceInfo(resource);
  const item = (toRead ? info.read : undefined) ?? info.item ?? `${info.path}/{id}`;
  const own = /\{(\w+)\}$/.exec(item)?.[1]; // a thing there is one of (opening hours) has no id
  return fillPath(item, own ? { ...params, [own]: id } : params);
}

/** Query of a list: `name=…`, and `key[]=a&key[]=b` for parameters that take several values. */
export function listQuery(filters: CrudFilters | undefined, known: readonly string[]): URLSearchParams {
  const query = new URLSearchParams();
  for (const filter of filters ?? []) {
    if (!('field' in filter) || filter.value === undefined || filter.value === null || filter.value === '')
      continue;
    const many = `${filter.field}[]`;
    if (known.includes(many)) for (const value of [filter.value].flat()) query.append(many, String(value));
    else query.set(filter.field, [filter.value].flat().map(String).join(','));
  }
  return query;
}

const one = async <T extends BaseRecord>(
  path: string,
  method: string,
  body?: object,
  headers?: Record<string, string>,
) => ({
  data: (await request<T>(path, { method, body, headers })).data,
});

export const dataProvider: DataProvider = {
  getApiUrl: () => '/api/v3',

  getList: async ({ resource, pagination, filters, sorters, meta }) => {
    const info = resourceInfo(resource);
    const query = listQuery(filters, info.filters);
    if (pagination?.mode !== 'off') {
      query.set('limit', String(pagination?.pageSize ?? 40));
      query.set('page', String((pagination?.currentPage ?? 1) - 1)); // Refine counts from 1, the service from 0
      query.set('count', 'true');
    } else if (!meta?.pick) {
      query.set('count', 'true'); // a list that answers whole ends at 2,000 rows: the total tells whether it did
    }
    if (info.sort && sorters?.[0])
      query.set('sort', `${sorters[0].order === 'desc' ? '-' : ''}${sorters[0].field}`);
    const path =
      meta?.pick && info.pickPath
        ? fillPath(info.pickPath, paramsOf(meta))
        : collectionPath(resource, paramsOf(meta));
    const { rows, total } = await reading(
      resource,
      counted((options) => api<never[]>(`${path}?${query}`, options), {
        signal: meta?.queryContext?.signal ?? null,
      }),
    );
    return { data: rows, total };
  },

  getOne: ({ resource, id, meta }) =>
    reading(resource, one(itemPath(resource, id, paramsOf(meta), true), 'GET')),

  create: ({ resource, variables, meta }) =>
    one(
      collectionPath(resource, paramsOf(meta)),
      'POST',
      variables as object,
      meta?.key ? { 'Idempotency-Key': String(meta.key) } : undefined,
    ),

  update: ({ resource, id, variables, meta }) =>
    one(itemPath(resource, id, paramsOf(meta)), 'PUT', variables as object),

  deleteOne: ({ resource, id, meta }) => one(itemPath(resource, id, paramsOf(meta)), 'DELETE'),

  custom: async ({ url, method, payload, query, headers }) => {
    const search = query ? `?${new URLSearchParams(query as Record<string, string>)}` : '';
    return one(
      `${fillPath(url)}${search}`,
      method.toUpperCase(),
      payload as object | undefined,
      headers as Record<string, string> | undefined,
    );
  },
};
