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

/** Over the map: whether it decides, what that means, and the way to change it. */
export function MethodNotice() {
  const { t } = useTranslation();
  const byMap = useRestaurant().delivery_method === 'gps_based';
  return (
    <Alert
      className="page-alert"
      type={byMap ? 'info' : 'warning'}
      showIcon
      title={t(byMap ? 'delivery_regions.shapes_first' : 'delivery_regions.shapes_idle')}
      description={byMap ? undefined : t('delivery_regions.shapes_idle_text')}
      action={<MethodSwitch />}
    />
  );
}

/** Over streets, where shapes decide or are drawn: which of them count. */
export function StreetsOrShapes({ shapes }: { shapes: boolean }) {
  const byMap = useRestaurant().delivery_method === 'gps_based';
  return shapes || byMap ? <MethodNotice /> : null;
}
