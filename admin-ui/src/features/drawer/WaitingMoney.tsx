import { ClockCircleOutlined, RollbackOutlined } from '@ant-design/icons';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Drawer, Waiting } from '../../generated/model';
import { useWaitingMoney } from './api';
import { OrderLink, useMoney } from './parts';

/** Payments that wait for a terminal and money to be given back: none of it is in the drawer yet. */
export function WaitingMoney({ drawer }: { drawer: Drawer }) {
  const { t } = useTranslation();
  const { waiting, asked } = useWaitingMoney(drawer);
  const { waiting_payments, asked_refunds, currency } = drawer;
  if (waiting_payments.count + asked_refunds.count === 0) return null;
  return (
    <div className="drawer-strips">
      <Strip
        icon={<ClockCircleOutlined aria-hidden />}
        label={t('drawer.waiting', { number: waiting_payments.count })}
        sum={waiting_payments}
        rows={waiting}
        currency={currency}
      />
      <Strip
        icon={<RollbackOutlined aria-hidden />}
        label={t('drawer.to_give_back', { number: asked_refunds.count })}
        sum={asked_refunds}
        rows={asked}
        currency={currency}
      />
    </div>
  );
}

interface StripProps {
  icon: ReactNode;
  label: string;
  sum: Waiting;
  rows: readonly { id: string; order_id: string; order_counter?: string | null }[];
  currency: string;
}

function Strip({ icon, label, sum, rows, currency }: StripProps) {
  const { t } = useTranslation();
  const money = useMoney();
  if (sum.count === 0) return null;
  return (
    <section className="drawer-strip" aria-label={label}>
      {icon}
      <div>
        <b>{label}</b> · <span className="num">{money(sum.total, currency)}</span>
        <ul>
          {rows.map((row) => (
            <li key={row.id}>
              <OrderLink id={row.order_id} counter={row.order_counter ?? null} />
            </li>
          ))}
          {rows.length > 0 && sum.count > rows.length && (
            <li>{t('drawer.and_more', { number: sum.count - rows.length })}</li>
          )}
        </ul>
      </div>
    </section>
  );
}
