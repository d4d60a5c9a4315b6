import type { Language } from '../../lib/format';

/** The path behind the screen's slug. Category, product and size are found by their ids. */
type Place =
  | { at: 'contents'; category: string | undefined }
  | { at: 'new-category' }
  | { at: 'category'; category: string }
  | { at: 'new-product'; category: string }
  | { at: 'product'; category: string; product: string };

/** The editor of a category or group, in the language of the address. */
export const EDIT: Record<Language, string> = { hu: 'szerkesztes', en: 'edit' };
export const isEdit = (segment: string | undefined): boolean => segment === EDIT.hu || segment === EDIT.en;

export function placeOf(path: readonly string[], isNew: (segment: string | undefined) => boolean): Place {
  const [category, inside] = path;
  if (category === undefined) return { at: 'contents', category: undefined };
  if (isNew(category)) return { at: 'new-category' };
  if (inside === undefined) return { at: 'contents', category };
  if (isEdit(inside)) return { at: 'category', category };
  if (isNew(inside)) return { at: 'new-product', category };
  return { at: 'product', category, product: inside };
}

/** Where another screen wants to jump, from the navigation's state or the address. */
export interface Jump {
  category?: string | undefined;
  product?: string | undefined;
  subproduct?: string | undefined;
}

export function jumpOf(state: unknown, query: URLSearchParams): Jump | undefined {
  const given = (typeof state === 'object' && state !== null ? state : {}) as Record<string, unknown>;
  const of = (name: string) =>
    typeof given[name] === 'string' ? (given[name] as string) : (query.get(name) ?? undefined);
  const jump = { category: of('category_id'), product: of('product_id'), subproduct: of('subproduct_id') };
  return jump.category || jump.product || jump.subproduct ? jump : undefined;
}
