import type { MenuSubject } from '../../../generated/model';
import { useCan } from '../../../lib/access';
import { featureByKey } from '../../../lib/features';
import { usePageUrl } from '../../../lib/navigation';
import { useEditUrl } from '../links';

/** The name in the chosen language; the first one where there is no other. */
export const nameIn = (
  row: { name?: string | null | undefined; name_sec_lang?: string | null | undefined },
  second: boolean,
): string => (second && row.name_sec_lang) || row.name || '';

/**
 * Where a row of the menu is edited; the restaurant's settings on the screen that is named. Undefined for what has no
 * page, and for pages that the user may not open.
 */
export function useSubjectUrl(): (subject: MenuSubject, settings?: string) => string | undefined {
  const can = useCan();
  const url = usePageUrl();
  const [editCategory, editGroup] = [useEditUrl(), useEditUrl('options')];
  const may = (key: string) => can(...(featureByKey(key)?.permission ?? []));
  return (
    { kind, id, product_category_id: category, product_id: product, option_group_id: group },
    settings,
  ) => {
    switch (kind) {
      case 'restaurant':
        return settings && may(settings) ? url(settings) : undefined;
      case 'category':
        return id ? editCategory(id) : undefined;
      case 'product':
        return id && category ? url('categories_and_products', `${category}/${id}`) : undefined;
      case 'subproduct':
        return id && category && product
          ? url('categories_and_products', `${category}/${product}`, { subproduct: id })
          : undefined;
      case 'option_group':
        return id ? editGroup(id) : undefined;
      default:
        return id && group ? url('options', `${group}/${id}`) : undefined;
    }
  };
}
