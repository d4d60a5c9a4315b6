import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { readKey, useRead } from '../../lib/query';
import { readOrder } from './api';
import type { Order, OrderRow } from './model';
import { plain } from './payments/exact';
import { moneyBack } from './payments/model';

const isWhole = (order: OrderRow | Order): order is Order => 'refunds' in order;

/** What becomes of the money of an order that is cancelled: most of it goes back by itself, the rest in hand. */
export function MoneyBack({ order }: { order: OrderRow }) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const isPaid = Number(order.paid) > 0;
  // A row does not tell what came by a provider.
  const { data } = useRead(
    readKey('ordersGet', 'money_back', order.id),
    ({ signal }) => readOrder(order.id, signal),
    { enabled: !isWhole(order) && (isPaid || Boolean(order.payment_method?.paid_online)), staleTime: 0 },
  );
  const whole = isWhole(order) ? order : data;
  if (!whole)
    return isPaid ? (
      <p className="archive-paid">{t('order.archive_money.some', { amount: money(order.paid) })}</p>
    ) : null;
  return Object.entries(moneyBack(whole)).map(
    ([way, amount]) =>
      amount > 0n && (
        <p key={way} className="archive-paid">
          {t(`order.archive_money.${way}`, { amount: money(plain(amount)) })}
        </p>
      ),
  );
}
