import { useTranslation } from 'react-i18next';
import { deliveryRegionsDelete } from '../../generated/client/restaurants/restaurants';
import type { DeliveryRegion } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { useForget } from '../../lib/query';
import { here } from '../../lib/target';
import { useNotify } from '../../lib/ui/notify';
import { goesWith } from './regionFields';
import { useNoRegion } from './shared/useNoRegion';

type Removed = Pick<DeliveryRegion, 'id' | 'name' | 'streets' | 'polygons'>;

/** Deletes a region, when that is confirmed; `after` brings the page up to date. True when it is gone. */
export function useRemoveRegion(
  after?: (region: Removed) => Promise<void>,
): (region: Removed) => Promise<boolean> {
  const { t } = useTranslation();
  const { number } = useFormat();
  const notify = useNotify();
  const forget = useForget();
  const { ask } = useNoRegion();
  return async (region) => {
    const answer = await ask({
      id: region.id,
      title: t('confirm.delete', { name: region.name }),
      effect: t('delivery_regions.delete_effect', goesWith({ ...region }, number)),
      verb: t('action.delete'),
    });
    if (!answer) return false;
    try {
      await deliveryRegionsDelete(...here(), region.id, answer);
      await forget(['deliveryRegionsList']);
      await after?.(region);
      notify.success(t('state.deleted', { name: region.name }));
      return true;
    } catch (error) {
      notify.problem(error);
      return false;
    }
  };
}
