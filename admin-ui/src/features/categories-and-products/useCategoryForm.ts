import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { mergeFields } from '../../lib/form/body';
import { type DraftForm, useDraftForm } from '../../lib/form/useDraftForm';
import {
  categoryBody,
  type CategoryDraft,
  categoryDraft,
  categoryFaults,
  categoryPath,
  newCategory,
} from './category';
import { categoryCalls, keys, useRefreshCatalogue } from './shared/api';
import type { ProductCategory } from './shared/types';

export const CATEGORIES = 'product_categories';
export type CategoryForm = DraftForm<ProductCategory, CategoryDraft>;

/** A category as a draft; a new one begins below the category that `?parent=` names. */
export function useCategoryForm(
  row: ProductCategory | null,
  byId: ReadonlyMap<string, ProductCategory>,
): CategoryForm {
  const refresh = useRefreshCatalogue();
  const parent = useSearchParams()[0].get('parent');
  return useDraftForm<ProductCategory, CategoryDraft>({
    row,
    fresh: useCallback(() => newCategory(parent && byId.has(parent) ? parent : null), [parent, byId]),
    draftOf: categoryDraft,
    bodyOf: categoryBody,
    merge: mergeFields,
    validate: categoryFaults,
    place: categoryPath,
    send: async ({ id, body, key }) => {
      const saved =
        id === undefined ? await categoryCalls.create(body, key) : await categoryCalls.update(id, body);
      void refresh({ own: keys.category(saved.id), into: keys.categories(), row: saved });
      return saved;
    },
  });
}
