import { useTranslation } from 'react-i18next';
import {
  deliveryRegionsList,
  restaurantsDeliveryMethod,
} from '../../../generated/client/restaurants/restaurants';
import { useFormat } from '../../../lib/format';
import { here, useRestaurant, useRestaurantUpdate } from '../../../lib/target';
import { Button } from '../../../lib/ui/Button';
import { useNotify } from '../../../lib/ui/notify';
import { useWork } from '../../../lib/ui/work';

/** Switches between streets and map, after it has said which regions that leaves without anything. */
export function MethodSwitch() {
  const { t } = useTranslation();
  const { number } = useFormat();
  const notify = useNotify();
  const { busy, work } = useWork();
  const update = useRestaurantUpdate();
  const next = useRestaurant().delivery_method === 'gps_based' ? 'street_based' : 'gps_based';
  const change = () =>
    work(async () => {
      const active = (await deliveryRegionsList(...here())).filter((region) => region.active);
      const lacks = active.filter(
        ({ streets, polygons }) => (next === 'gps_based' ? polygons : streets) === 0,
      );
      const sure = await notify.confirm({
        title: t(`delivery_regions.method_${next}`),
        effect: (
          <>
            <p>{t(`delivery_regions.method_${next}_text`)}</p>
            {lacks.length > 0 && (
              <p>
                {t(`delivery_regions.method_${next}_lacks`, {
                  number: number(lacks.length),
                  names: lacks
                    .slice(0, 5)
                    .map(({ name }) => name)
                    .join(', '),
                })}
              </p>
            )}
          </>
        ),
        verb: t('delivery_regions.method_change'),
        danger: false,
      });
      if (!sure) return;
      update(await restaurantsDeliveryMethod(...here(), { delivery_method: next }));
      notify.saved();
    });
  return (
    <Button size="small" loading={busy} onClick={() => void change()}>
      {t(`delivery_regions.method_${next}`)}
    </Button>
  );
}
