import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { CustomerOrder } from '../../../generated/model';
import { useCan } from '../../../lib/access';
import { formatMoney, useFormat } from '../../../lib/format';
import { usePageUrl } from '../../../lib/navigation';
import { useRestaurant } from '../../../lib/target';
import { Chip } from '../../../lib/ui/page';
import { orderName } from '../../../lib/orderName';

/** Items that are named; of the others their number. */
const NAMED = 4;

/** Orders of a customer, the newest first: when, what, for how much. */
export function OrderRows({ orders, label }: { orders: readonly CustomerOrder[]; label: string }) {
  return (
    <ul className="customer-rows" aria-label={label}>
      {orders.map((order) => (
        <li key={order.id}>
          <OrderRow order={order} />
        </li>
      ))}
    </ul>
  );
}

function OrderRow({ order }: { order: CustomerOrder }) {
  const { t } = useTranslation();
  const { language, dateTime } = useFormat();
  const restaurant = useRestaurant();
  const method = language === 'en' ? order.payment_method_name_en : order.payment_method_name;
  const facts = [
    order.restaurant_id === restaurant.id ? undefined : order.restaurant_name,
    order.pickup ? t('customer_orders.pickup') : order.address,
    method,
  ].filter(Boolean);
  return (
    <>
      <span className="customer-row-main">
        <span className="customer-row-head">
          <OrderLink order={order} />
          <span className="num">{dateTime(order.created_at)}</span>
          {order.archived_at && <Chip tone="error">{t('customer_orders.archived')}</Chip>}
          {!order.archived_at && order.status !== 'succeeded' && order.status !== 'processed' && (
            <Chip tone={order.status === 'prepared' ? 'success' : 'neutral'}>
              {t(`customer_orders.status_${order.status}`)}
            </Chip>
          )}
        </span>
        <Items order={order} />
        {facts.length > 0 && <span className="edit-help">{facts.join(' · ')}</span>}
      </span>
      <b className="num customer-row-sum">{formatMoney(language, order.total_price, order.currency)}</b>
    </>
  );
}

/** Its number, which leads to its page where that is this restaurant's and may be seen. */
function OrderLink({ order }: { order: CustomerOrder }) {
  const { t } = useTranslation();
  const can = useCan();
  const url = usePageUrl();
  const restaurant = useRestaurant();
  const name = orderName(t, order.counter);
  return order.restaurant_id === restaurant.id && can('fresh_order', 'all_order') ? (
    <Link className="row-link num" to={url('order_page', order.id)}>
      {name}
    </Link>
  ) : (
    <b className="num">{name}</b>
  );
}

function Items({ order: { items } }: { order: CustomerOrder }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  if (items.length === 0) return null;
  const shown = items.length > NAMED + 1 ? items.slice(0, NAMED) : items;
  const more = items.length - shown.length;
  const names = shown.map(({ quantity, name }) => `${number(quantity)} × ${name}`).join(', ');
  return <span>{more > 0 ? t('customer_orders.items_more', { names, number: number(more) }) : names}</span>;
}
