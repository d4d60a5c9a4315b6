import { Switch } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { DayInput } from '../../../lib/fields/DayInput';
import { useFormat } from '../../../lib/format';
import { ProblemAlert } from '../../../lib/ui/states';
import { moved, type Period } from './period';

interface Props {
  shown: boolean;
  onShow: (shown: boolean) => void;
  period: Period;
  onPeriod: (period: Period) => void;
  /** What was read, with the region that each went to. */
  orders: readonly { count: number; delivery_region_id?: string | null }[] | undefined;
  error: unknown;
}

/** Where the orders of a period went, as points without names. */
export function OrdersPanel({ shown, onShow, period, onPeriod, orders, error }: Props) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const id = useId();
  const total = (orders ?? []).reduce((sum, { count }) => sum + count, 0);
  const outside = (orders ?? [])
    .filter(({ delivery_region_id }) => !delivery_region_id)
    .reduce((sum, { count }) => sum + count, 0);
  const day = (end: keyof Period) => (
    <div className="edit-field">
      <label className="edit-label" htmlFor={`${id}-${end}`}>
        {t(`region_map.${end}`)}
      </label>
      <DayInput
        id={`${id}-${end}`}
        allowClear={false}
        value={period[end]}
        onChange={(next) => next && onPeriod(moved(period, end, next))}
      />
    </div>
  );
  return (
    <div className="dr-period">
      <p className="edit-help">{t('region_map.orders_lead')}</p>
      <div className="edit-switch">
        <label className="target">
          <Switch id={`${id}-shown`} checked={shown} onChange={onShow} />
        </label>
        <label htmlFor={`${id}-shown`}>{t('region_map.orders_show')}</label>
      </div>
      <div className="field-line">
        {day('from')}
        {day('till')}
      </div>
      {shown && error !== null && error !== undefined && <ProblemAlert error={error} />}
      <p role="status">
        {shown &&
          orders &&
          (total === 0
            ? t('region_map.orders_none')
            : t('region_map.orders_count', { number: number(total), outside: number(outside) }))}
      </p>
    </div>
  );
}
