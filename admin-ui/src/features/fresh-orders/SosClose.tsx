import { StopOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { restaurantsClose } from '../../generated/client/restaurants/restaurants';
import { useCanDo } from '../../lib/access';
import { here, useRestaurant, useRestaurantUpdate } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { useWork } from '../../lib/ui/work';

/** Switches SOS close; the answer is the restaurant, which the whole page then shows. */
function useSos(): { closed: boolean; may: boolean; busy: boolean; set: (closed: boolean) => Promise<void> } {
  const restaurant = useRestaurant();
  const update = useRestaurantUpdate();
  const may = useCanDo()('restaurants', 'close');
  const { busy, work } = useWork();
  const set = (closed: boolean) =>
    work(async () => {
      update(await restaurantsClose(...here(), { temp_no_orders: closed }));
    });
  return { closed: Boolean(restaurant.temp_no_orders), may, busy, set };
}

/** The button of the header; there while the restaurant takes orders. */
export function SosButton() {
  const { t } = useTranslation();
  const notify = useNotify();
  const { name } = useRestaurant();
  const { closed, may, busy, set } = useSos();
  if (closed || !may) return null;
  const ask = async () => {
    if (
      await notify.confirm({
        title: t('fresh.sos_question', { name }),
        effect: t('fresh.sos_effect'),
        verb: t('fresh.sos'),
      })
    )
      await set(true);
  };
  return (
    <Button danger icon={<StopOutlined />} loading={busy} onClick={() => void ask()}>
      {t('fresh.sos')}
    </Button>
  );
}

/** Says that no orders come in, and ends it. */
export function SosBanner() {
  const { t } = useTranslation();
  const { closed, may, busy, set } = useSos();
  if (!closed) return null;
  return (
    <div className="fresh-strip fresh-strip-sos" role="alert">
      <StopOutlined aria-hidden />
      <div>
        <b>{t('fresh.sos_on')}</b> {t('temp_no_orders_desc')}
      </div>
      {may && (
        <Button loading={busy} onClick={() => void set(false)}>
          {t('fresh.sos_end')}
        </Button>
      )}
    </div>
  );
}
