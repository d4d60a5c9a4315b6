import { CoffeeOutlined, EnvironmentOutlined, ShoppingOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { OrderRow } from '../order/model';
import { useFormat } from '../../lib/format';
import { usePageUrl } from '../../lib/navigation';
import { ChannelChip } from '../order/Channel';
import { addressLine, fulfilment, guestName, paymentName } from '../order/model';
import { Marks, Payment, useOrderWords } from '../order/parts';
import { isChild } from '../order/payments/model';
import { formatPhone } from '../order/phone';
import { StatusChip } from '../order/StatusChip';
import type { useMethods } from './api';
import { businessDay } from './days';
import { useClock } from './useClock';

/** Number, state and marks: what leads to the order. A partial storno has no number. */
export function Head({ order }: { order: OrderRow }) {
  const words = useOrderWords();
  return (
    <span className="previous-head">
      {(order.counter || !isChild(order)) && <span className="num">{words.name(order)}</span>}
      <StatusChip order={order} />
      <Marks order={order} />
    </span>
  );
}

/** Which order a partial storno is of. */
export function Parent({ order, parent }: { order: OrderRow; parent: OrderRow | undefined }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const words = useOrderWords();
  return (
    <Link className="previous-parent" to={url('order_page', order.order_parent_id!)}>
      {t('previous.child_of', { order: parent ? words.name(parent) : t('previous.its_order') })}
    </Link>
  );
}

/** The waiter of an order that staff took, or the guest, who is also the one who called; with the phone. */
export function Who({ order }: { order: OrderRow }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const who = useOrderWords().who(order);
  const guest = guestName(order, language);
  const waiter = order.admin_name;
  return (
    <span className="previous-lines">
      <span>{who}</span>
      {waiter && guest && (
        <span className="previous-small">{who === guest ? t('order.waiter', { name: waiter }) : guest}</span>
      )}
      {order.phone_1 && <span className="previous-small num">{formatPhone(order.phone_1)}</span>}
    </span>
  );
}

/** Where it goes or went: an address, over the counter, or a table. */
export function Where({ order }: { order: OrderRow }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const how = fulfilment(order);
  const Icon = { here: CoffeeOutlined, pickup: ShoppingOutlined, delivery: EnvironmentOutlined }[how];
  const words = {
    here: () => (order.table_name ? t('order.table', { name: order.table_name }) : t('order.here')),
    pickup: () => t('order.pickup'),
    delivery: () =>
      (order.delivery_data && addressLine(order.delivery_data, language)) || t('order.no_address'),
  };
  return (
    <span className="previous-where">
      <Icon aria-hidden />
      <span>{words[how]()}</span>
    </span>
  );
}

/**
 * Business day and hour; a night that belongs to the day before says so. A partial storno counts to its order's day,
 * which the row does not know, so it has its own time alone.
 */
export function When({ order }: { order: OrderRow }) {
  const { t } = useTranslation();
  const { date, time, dateTime, day } = useFormat();
  const clock = useClock();
  const at = order.created_at;
  const business = day(businessDay(at, clock));
  return (
    <span className="previous-lines">
      <span className="num previous-when">
        {isChild(order) || business === date(at)
          ? dateTime(at)
          : t('previous.next_day', { day: business, time: time(at) })}
      </span>
      <ChannelChip platform={order.platform} />
    </span>
  );
}

/** By what it was paid, and what is left to do about it. */
export function Paid({ order, methods }: { order: OrderRow; methods: ReturnType<typeof useMethods> }) {
  const { language } = useFormat();
  const nothing =
    isChild(order) || (order.archived_at && Number(order.due) === 0 && Number(order.paid) === 0);
  const moved = (order.payable_transactions ?? []).filter(
    (row) => row.status === 'succeeded' && row.value > 0,
  );
  const keys = [...new Set(moved.flatMap((row) => row.payment_key ?? []))];
  // Nothing until the names are there.
  const names = keys.map((key) => methods.find((one) => one.key === key)?.name).filter(Boolean);
  // Where something is due the line says itself by what.
  const chosen =
    order.payment_method && Number(order.due) <= 0 ? paymentName(order.payment_method, language) : '';
  const by = keys.length > 0 ? names.join(', ') : chosen;
  return (
    <span className="previous-lines">
      {!nothing && <Payment order={order} />}
      {by && <span className="previous-small">{by}</span>}
    </span>
  );
}

export function Total({ order }: { order: OrderRow }) {
  const { t } = useTranslation();
  const { money } = useFormat();
  return (
    <span className="previous-lines">
      <b className="num" data-gone={Boolean(order.archived_at) && !isChild(order)}>
        {money(order.total_price)}
      </b>
      {Number(order.reversed_price ?? 0) !== 0 && !isChild(order) && (
        <span className="previous-small num">
          {t('previous.reversed', { amount: money(order.reversed_price ?? 0) })}
        </span>
      )}
    </span>
  );
}
