import { useTranslation } from 'react-i18next';
import { optionGroupsDelete } from '../../generated/client/catalogue/catalogue';
import { here } from '../../lib/target';
import { keys } from '../categories-and-products/shared/api';
import { useDelete } from '../categories-and-products/shared/parts';
import type { OptionGroup } from '../categories-and-products/shared/types';

/** Deletes an option group; the question says how many sizes lose it. `leave` goes away from its page. */
export function useDeleteGroup(): (row: OptionGroup, leave?: () => void | Promise<void>) => Promise<void> {
  const { t } = useTranslation();
  const remove = useDelete();
  return (row, leave) =>
    remove(row, () => optionGroupsDelete(...here(), row.id), {
      effect:
        row.subproduct_count > 0
          ? t('option_groups.delete_effect', { count: row.subproduct_count })
          : t('confirm.delete_effect'),
      inUse: t('option_groups.in_use', { count: row.subproduct_count }),
      ...(leave ? { gone: [keys.allOptions(row.id)], leave } : {}),
    });
}
