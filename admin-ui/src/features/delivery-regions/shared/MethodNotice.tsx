import { useList } from '@refinedev/core';
import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { DeliveryRegion } from '../../../generated/model';
import { useCan } from '../../../lib/access';
import { usePageUrl } from '../../../lib/navigation';
import { useRestaurant } from '../../../lib/target';

/** Whether a region has a shape that is saved. Read as the list reads it, so it is one call. */
export function useHasShapes(): boolean {
  const { result } = useList<DeliveryRegion>({
    resource: 'delivery_regions',
    filters: [],
    sorters: [],
    pagination: { mode: 'off' },
    meta: {},
    errorNotification: false,
  });
  return result.data.some(({ polygons }) => polygons > 0);
}

/** Where a restaurant looks at streets alone, that shapes do nothing, and who can change that. */
export function ShapesIdle() {
  const { t } = useTranslation();
  const can = useCan();
  const url = usePageUrl();
  const restaurant = useRestaurant();
  if (restaurant.delivery_method !== 'street_based') return null;
  return (
    <Alert
      className="page-alert"
      type="warning"
      showIcon
      title={t('delivery_regions.shapes_idle')}
      description={
        <>
          {t('delivery_regions.shapes_idle_text')}{' '}
          {can('super_admin') ? (
            <Link to={url('restaurant_switches', restaurant.id)}>{t('delivery_regions.method_open')}</Link>
          ) : (
            t('delivery_regions.method_whose')
          )}
        </>
      }
    />
  );
}

/** Over streets, where there are shapes too: which of them decide. */
export function StreetsOrShapes({ shapes }: { shapes: boolean }) {
  const { t } = useTranslation();
  const { delivery_method } = useRestaurant();
  if (!shapes) return null;
  return delivery_method === 'gps_based' ? (
    <Alert className="page-alert" type="info" showIcon title={t('delivery_regions.shapes_first')} />
  ) : (
    <ShapesIdle />
  );
}
