import { Radio } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCanDo } from '../../lib/access';
import { usePartUpdate } from '../../lib/crud/InstantSwitch';
import { useFormat } from '../../lib/format';
import { useRestaurant } from '../../lib/target';
import { useNotify } from '../../lib/ui/notify';
import { useWork } from '../../lib/ui/work';
import './sos-close.css';

/** Minutes after which it opens again by itself; 0: when somebody opens. */
const LENGTHS = [15, 30, 60, 120, 240, 0] as const;
type Minutes = (typeof LENGTHS)[number];

interface SosClose {
  closed: boolean;
  /** When it ends; empty while the restaurant takes orders. */
  end: string;
  may: boolean;
  busy: boolean;
  /** Asks for how long, then closes. */
  close: () => Promise<void>;
  reopen: () => Promise<void>;
}

/**
 * SOS close: no orders are taken from the moment it is switched on, until its end or until somebody opens
 * again. The answer is the restaurant, which the whole page then shows.
 */
export function useSosClose(): SosClose {
  const { t } = useTranslation();
  const notify = useNotify();
  const { dateTime } = useFormat();
  const put = usePartUpdate('restaurants_close');
  const may = useCanDo()('restaurants_close', 'update');
  const { name, temp_no_orders, temp_no_orders_until } = useRestaurant();
  const { busy, work } = useWork();
  const closed = Boolean(temp_no_orders);
  const endText = (until: string | null | undefined) =>
    until ? t('restaurants_close.until', { time: dateTime(until) }) : t('restaurants_close.until_opened');
  const endOf = (minutes: Minutes) =>
    minutes > 0 ? new Date(Date.now() + minutes * 60_000).toISOString() : undefined;

  const close = async () => {
    let chosen: Minutes = 0;
    const sure = await notify.confirm({
      title: t('restaurants_close.question', { name }),
      effect: (
        <Lengths
          endText={(minutes) => endText(endOf(minutes))}
          onChange={(minutes) => {
            chosen = minutes;
          }}
        />
      ),
      verb: t('restaurants_close.close'),
    });
    if (!sure) return;
    const end = endOf(chosen);
    await work(async () => {
      await put({ temp_no_orders: true, ...(end ? { temp_no_orders_until: end } : {}) });
    });
  };
  const reopen = () =>
    work(async () => {
      await put({ temp_no_orders: false });
    });
  return { closed, end: closed ? endText(temp_no_orders_until) : '', may, busy, close, reopen };
}

interface LengthsProps {
  endText: (minutes: Minutes) => string;
  onChange: (minutes: Minutes) => void;
}

/** For how long, and what that means for the guests. */
function Lengths({ endText, onChange }: LengthsProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<Minutes>(0);
  return (
    <>
      <Radio.Group
        className="sos-lengths"
        aria-label={t('restaurants_close.length')}
        value={chosen}
        onChange={({ target }) => {
          setChosen(target.value as Minutes);
          onChange(target.value as Minutes);
        }}
        options={LENGTHS.map((value) => ({ value, label: t(`restaurants_close.length_${value}`) }))}
      />
      <p>
        {t('restaurants_close.effect')} {endText(chosen)}
      </p>
    </>
  );
}
