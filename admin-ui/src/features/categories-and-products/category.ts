import { type Body, changes, optional } from '../../lib/form/body';
import type { Faults } from '../../lib/form/useDraft';
import {
  INHERITS,
  inheritableOf,
  NO_PERIOD,
  NO_TEXTS,
  plainRange,
  rangeFaults,
  scheduleOf,
  textsOf,
} from './shared/draft';
import type { Inheritable, ProductCategory, TimeRange } from './shared/types';

export interface CategoryDraft extends Inheritable {
  parent_id: string | null;
  name: string;
  name_sec_lang: string;
  description: string;
  description_sec_lang: string;
  active: boolean;
  available_from: string | null;
  available_to: string | null;
  expected_at: string | null;
  time_ranges: TimeRange[];
  pos_color_id: string | null;
  image_web_id: string | null;
  image_app_id: string | null;
  image_desc_id: string | null;
}

export const categoryDraft = (row: ProductCategory): CategoryDraft => ({
  parent_id: row.parent_id,
  ...textsOf(row),
  active: row.active,
  ...inheritableOf(row),
  ...scheduleOf(row),
  time_ranges: row.time_ranges ?? [],
  pos_color_id: row.pos_color_id,
  image_web_id: row.image_web_id,
  image_app_id: row.image_app_id,
  image_desc_id: row.image_desc_id,
});

export const newCategory = (parent: string | null): CategoryDraft => ({
  parent_id: parent,
  ...NO_TEXTS,
  active: true,
  ...INHERITS,
  ...NO_PERIOD,
  time_ranges: [],
  pos_color_id: null,
  image_web_id: null,
  image_app_id: null,
  image_desc_id: null,
});

const whole = (draft: CategoryDraft): Body => ({
  ...draft,
  name: draft.name.trim(),
  name_sec_lang: optional(draft.name_sec_lang),
  description: optional(draft.description),
  description_sec_lang: optional(draft.description_sec_lang),
  time_ranges: draft.time_ranges.length ? draft.time_ranges.map(plainRange) : null,
});

/** The body of a save: everything of a new category, else what differs. */
export const categoryBody = (draft: CategoryDraft, base?: CategoryDraft): Body =>
  base ? changes(whole(base), whole(draft)) : whole(draft);

/** Keys of texts by the path of their field. */
export const categoryFaults = (draft: CategoryDraft): Faults => ({
  ...(draft.name.trim() ? {} : { name: 'form.required' }),
  ...(draft.available_from && draft.available_to && draft.available_to < draft.available_from
    ? { available_to: 'catalogue.ends_before' }
    : {}),
  ...Object.fromEntries(
    rangeFaults(draft.time_ranges).map((index) => [`time_ranges.${index}`, 'catalogue.range_incomplete']),
  ),
});

/** The path of the field for a key of the service. */
export function categoryPath(key: string, draft: CategoryDraft): string | undefined {
  const [field = '', index] = key.split('.');
  if (!(field in draft)) return undefined;
  return field === 'time_ranges' && index !== undefined ? `time_ranges.${index}` : field;
}

/**
 * Where a category may stand: below a top-level category that is not archived and has no products, or where
 * it stands now. One that has sub-categories stays on the top level (two levels).
 */
export function parentChoices(
  categories: readonly ProductCategory[],
  category: ProductCategory | undefined,
): ProductCategory[] {
  if (category && category.children_count > 0) return [];
  return categories.filter(
    (c) =>
      c.id === category?.parent_id ||
      (c.parent_id === null && c.archived_at === null && c.product_count === 0 && c.id !== category?.id),
  );
}

/** Categories that may hold products: those without sub-categories, named with their parent. */
export function productHomes(categories: readonly ProductCategory[]): { id: string; path: string }[] {
  const names = new Map(categories.map((c) => [c.id, c.name]));
  const path = (c: ProductCategory) =>
    c.parent_id && names.has(c.parent_id) ? `${names.get(c.parent_id)} › ${c.name}` : c.name;
  const top = categories.filter((c) => c.parent_id === null).toSorted((a, b) => a.ranking - b.ranking);
  const children = (id: string) =>
    categories.filter((c) => c.parent_id === id).toSorted((a, b) => a.ranking - b.ranking);
  return top
    .flatMap((c) => [c, ...children(c.id)])
    .filter((c) => c.children_count === 0)
    .map((c) => ({ id: c.id, path: path(c) }));
}
