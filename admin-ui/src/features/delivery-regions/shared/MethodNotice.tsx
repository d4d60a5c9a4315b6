import { useList } from '@refinedev/core';
import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import type { DeliveryRegion } from '../../../generated/model';
import { useRestaurant } from '../../../lib/target';
import { MethodSwitch } from './MethodSwitch';

/** Every region. Read as the list reads it, so it is one call. */
export function useAllRegions(): readonly DeliveryRegion[] {
  const { result } = useList<DeliveryRegion>({
    resource: 'delivery_regions',
    filters: [],
    sorters: [],
    pagination: { mode: 'off' },
    meta: {},
    errorNotification: false,
  });
  return result.data;
}

/** Whether a region has a shape that is saved. */
export const useHasShapes = (): boolean => useAllRegions().some(({ polygons }) => polygons > 0);

/** Where a restaurant looks at streets alone: that shapes do nothing, and the way to change it. */
export function ShapesIdle() {
  const { t } = useTranslation();
  if (useRestaurant().delivery_method !== 'street_based') return null;
  return (
    <Alert
      className="page-alert"
      type="warning"
      showIcon
      title={t('delivery_regions.shapes_idle')}
      description={t('delivery_regions.shapes_idle_text')}
      action={<MethodSwitch />}
    />
  );
}

/** Over streets, where there are shapes too: which of them decide. */
export function StreetsOrShapes({ shapes }: { shapes: boolean }) {
  const { t } = useTranslation();
  const { delivery_method } = useRestaurant();
  if (!shapes) return null;
  return delivery_method === 'gps_based' ? (
    <Alert
      className="page-alert"
      type="info"
      showIcon
      title={t('delivery_regions.shapes_first')}
      action={<MethodSwitch />}
    />
  ) : (
    <ShapesIdle />
  );
}
