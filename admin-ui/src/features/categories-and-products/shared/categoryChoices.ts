import type { Choice } from './sizes';
import type { ProductCategory } from './types';

/** Main categories, and those within them behind the name of theirs. */
export function categoryChoices(
  all: readonly Pick<ProductCategory, 'id' | 'name' | 'parent_id'>[],
): Choice[] {
  const names = new Map(all.map(({ id, name }) => [id, name]));
  return all
    .map(({ id, name, parent_id }) => {
      const above = parent_id ? names.get(parent_id) : undefined;
      return { id, label: above === undefined ? name : `${above} › ${name}` };
    })
    .toSorted((a, b) => a.label.localeCompare(b.label, 'hu'));
}
