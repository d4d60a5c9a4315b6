import { ClockCircleOutlined, RollbackOutlined } from '@ant-design/icons';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { type Amount, useFormat } from '../../lib/format';
import { usePageUrl } from '../../lib/navigation';
import { useMethodNames } from '../order/payments/api';
import { orderName } from '../../lib/orderName';
import { useOpenMoney } from './useOpenMoney';

/** A payment or a refund, as far as the notice names it. */
interface Row {
  id: string;
  order_id: string;
  order_counter?: string | null;
  payment_key: string;
  amount: Amount;
}

/** Above the board: money that is to be given back, payments that wait, and how many guests pay online now. */
export function OpenMoney() {
  const { t } = useTranslation();
  const { asked, waiting, paying } = useOpenMoney();
  if (asked.total + waiting.total + paying === 0) return null;
  return (
    <div className="fresh-monies">
      <Strip
        icon={<RollbackOutlined aria-hidden />}
        label={t('fresh.to_give_back', { number: asked.total })}
        rows={asked.rows}
        total={asked.total}
      />
      <Strip
        icon={<ClockCircleOutlined aria-hidden />}
        label={t('fresh.payments_wait', { number: waiting.total })}
        rows={waiting.rows}
        total={waiting.total}
      />
      {paying > 0 && <p className="fresh-paying">{t('fresh.being_paid', { number: paying })}</p>}
    </div>
  );
}

interface StripProps {
  icon: ReactNode;
  label: string;
  rows: readonly Row[];
  /** Also of those that are not named. */
  total: number;
}

function Strip({ icon, label, rows, total }: StripProps) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const url = usePageUrl();
  const method = useMethodNames(rows.length > 0);
  if (rows.length === 0) return null;
  return (
    <section className="fresh-strip fresh-strip-warning fresh-money" aria-label={label}>
      {icon}
      <div>
        <b>{label}</b>
        <ul>
          {rows.map((row) => (
            <li key={row.id}>
              <Link className="fact-link" to={url('order_page', row.order_id)}>
                {[orderName(t, row.order_counter), money(row.amount), method(row.payment_key)]
                  .filter(Boolean)
                  .join(' · ')}
              </Link>
            </li>
          ))}
          {total > rows.length && <li>{t('fresh.and_more', { number: total - rows.length })}</li>}
        </ul>
      </div>
    </section>
  );
}
