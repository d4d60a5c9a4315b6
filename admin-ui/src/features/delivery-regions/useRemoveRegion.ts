import { useDelete } from '@refinedev/core';
import { useTranslation } from 'react-i18next';
import type { DeliveryRegion } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { useNotify } from '../../lib/ui/notify';
import { goesWith } from './regionFields';

/** Deletes a region, when that is confirmed; `after` brings the page up to date. */
export function useRemoveRegion(
  after?: (region: DeliveryRegion) => Promise<void>,
): (region: DeliveryRegion) => Promise<void> {
  const { t } = useTranslation();
  const { number } = useFormat();
  const notify = useNotify();
  const { mutateAsync } = useDelete();
  return async (region) => {
    const sure = await notify.confirm({
      title: t('confirm.delete', { name: region.name }),
      effect: t('delivery_regions.delete_effect', goesWith({ ...region }, number)),
      verb: t('action.delete'),
    });
    if (!sure) return;
    try {
      await mutateAsync({
        resource: 'delivery_regions',
        id: region.id,
        mutationMode: 'pessimistic',
        successNotification: false,
        errorNotification: false,
      });
      await after?.(region);
      notify.success(t('state.deleted', { name: region.name }));
    } catch (error) {
      notify.problem(error);
    }
  };
}
