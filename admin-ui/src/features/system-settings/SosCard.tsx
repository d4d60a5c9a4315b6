import { StopOutlined } from '@ant-design/icons';
import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCanDo } from '../../lib/access';
import { usePartUpdate } from '../../lib/crud/InstantSwitch';
import { useFormat } from '../../lib/format';
import { useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { Card, Chip } from '../../lib/ui/page';
import { useNotify } from '../../lib/ui/notify';
import { useWork } from '../../lib/ui/work';

/** Minutes after which it may open again by itself; 0: when somebody opens. */
const LENGTHS = [0, 15, 30, 60, 120, 240] as const;

/**
 * SOS close: no orders are taken from the moment it is switched on, until its end or until somebody opens
 * again.
 */
export function SosCard() {
  const { t } = useTranslation();
  const notify = useNotify();
  const { dateTime } = useFormat();
  const put = usePartUpdate('restaurants_close');
  const may = useCanDo()('restaurants_close', 'update');
  const { name, temp_no_orders: closed, temp_no_orders_until: until } = useRestaurant();
  const { busy: saving, work } = useWork();
  const [length, setLength] = useState<number>(0);
  const change = async (temp_no_orders: boolean) => {
    const end = temp_no_orders && length > 0 ? new Date(Date.now() + length * 60_000).toISOString() : null;
    const effect = (
      <>
        {t('restaurants_close.effect')}{' '}
        {end ? t('restaurants_close.until', { time: dateTime(end) }) : t('restaurants_close.until_opened')}
      </>
    );
    if (
      temp_no_orders &&
      !(await notify.confirm({
        title: t('restaurants_close.question', { name }),
        effect,
        verb: t('restaurants_close.close'),
      }))
    )
      return;
    await work(async () => {
      await put({ temp_no_orders, ...(end ? { temp_no_orders_until: end } : {}) });
    });
  };
  return (
    <Card
      title={t('restaurants_close.title')}
      extra={
        <Chip tone={closed ? 'error' : 'success'}>
          {t(closed ? 'restaurants_close.closed' : 'restaurants_close.open')}
        </Chip>
      }
    >
      <p className="setting-lead">{t('restaurants_close.text')}</p>
      {closed && (
        <p className="setting-lead">
          <b>
            {until
              ? t('restaurants_close.until', { time: dateTime(until) })
              : t('restaurants_close.until_opened')}
          </b>
        </p>
      )}
      {may && (
        <div className="form-buttons">
          {closed ? (
            <Button type="primary" loading={saving} onClick={() => void change(false)}>
              {t('restaurants_close.reopen')}
            </Button>
          ) : (
            <>
              <Select
                aria-label={t('restaurants_close.length')}
                className="setting-select"
                value={length}
                onChange={setLength}
                options={LENGTHS.map((value) => ({ value, label: t(`restaurants_close.length_${value}`) }))}
              />
              <Button danger icon={<StopOutlined />} loading={saving} onClick={() => void change(true)}>
                {t('restaurants_close.close')}
              </Button>
            </>
          )}
        </div>
      )}
    </Card>
  );
}
