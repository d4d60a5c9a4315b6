import {
  AimOutlined,
  AlertOutlined,
  CheckCircleOutlined,
  ClockCircleOutlined,
  CoffeeOutlined,
  EditOutlined,
  EnvironmentOutlined,
  ExperimentOutlined,
  MessageOutlined,
  PhoneOutlined,
  RollbackOutlined,
  ScheduleOutlined,
  ShoppingOutlined,
  SolutionOutlined,
  UserOutlined,
  WalletOutlined,
} from '@ant-design/icons';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../../lib/format';
import { useNow } from '../../lib/hooks';
import { Chip } from '../../lib/ui/page';
import { serverNow } from '../../lib/clock';
import {
  addressDetails,
  addressLine,
  fulfilment,
  guestName,
  isPaid,
  isUnaccepted,
  itemName,
  mapUrl,
  optionName,
  paymentName,
  type DeliveryData,
  type OrderRow,
  type RowItem,
} from './model';
import { leftOf, payState } from './payments/model';
import { unsigned } from './payments/amount';
import { formatPhone, phoneUrl } from './phone';
import { orderName } from '../../lib/orderName';
import { dayOf, minutesSince, timeWindow, type Tone } from './times';
import { useCustomerUrl } from './useCustomerUrl';
import './parts.css';

/** Everything an order says in words of the interface's language and the restaurant's zone. */
export function useOrderWords() {
  const { t } = useTranslation();
  const { language, zone, date } = useFormat();
  const day = (moment: string, now: number) => {
    const which = dayOf(moment, now, zone);
    return which === 'today' ? '' : which === 'tomorrow' ? `${t('order.tomorrow')} ` : `${date(moment)} `;
  };
  return {
    name: ({ counter }: Pick<OrderRow, 'counter'>) => orderName(t, counter),
    /** Waiter of a staff order, else the guest, who is also the one who called. A test order is sent as a guest would. */
    who: (order: OrderRow) => {
      const guest = guestName(order, language);
      const byStaff = order.admin_id && !order.is_test && !(order.platform === 'phone' && guest);
      return (byStaff ? order.admin_name : guest) || t('order.no_name');
    },
    /** `12:20–12:40`, with the day unless it is today. */
    window: (expectedAt: string) => day(expectedAt, serverNow()) + timeWindow(expectedAt, zone),
    age: (moment: string, now: number) => {
      const minutes = minutesSince(moment, now);
      if (minutes < 1) return t('order.age_now');
      if (minutes < 60) return t('order.age_minutes', { minutes });
      const hours = Math.floor(minutes / 60);
      return hours < 24
        ? t('order.age_hours', { hours, minutes: minutes % 60 })
        : t('order.age_days', { days: Math.floor(hours / 24) });
    },
    pieces: (order: OrderRow) =>
      t('order.pieces', { count: (order.items ?? []).reduce((sum, item) => sum + item.quantity, 0) }),
  };
}

/** How often ages are looked at. ms */
const TICK_MS = 5000;

/** How long an order has been waiting. Ticks by itself, so that its card need not. */
export function AgeChip({ since, tone }: { since: string; tone: Tone }) {
  const words = useOrderWords();
  const { t } = useTranslation();
  useNow(TICK_MS);
  return (
    <span className="age" data-tone={tone}>
      <ClockCircleOutlined aria-hidden />
      <span className="num">{words.age(since, serverNow())}</span>
      {tone === 'red' && <span className="sr-only">{t('order.waits_long')}</span>}
    </span>
  );
}

/** Preorder and test marks, and that nobody accepts it. */
export function Marks({ order }: { order: OrderRow }) {
  const { t } = useTranslation();
  return (
    <>
      {order.replaces_counter && (
        <Chip tone="warning" icon={<EditOutlined aria-hidden />}>
          {t('order.was', { number: order.replaces_counter })}
        </Chip>
      )}
      {order.is_preorder && (
        <Chip tone="info" icon={<ScheduleOutlined aria-hidden />}>
          {t('order.preorder')}
        </Chip>
      )}
      {(order.escalation_level ?? 1) > 1 && isUnaccepted(order) && (
        <Chip tone="error" icon={<AlertOutlined aria-hidden />}>
          {t('order.escalated', { level: order.escalation_level ?? 1 })}
        </Chip>
      )}
      {order.is_test && (
        <Chip tone="neutral" icon={<ExperimentOutlined aria-hidden />}>
          {t('order.test')}
        </Chip>
      )}
    </>
  );
}

function Line({
  icon,
  children,
  className = '',
}: {
  icon: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <div className={`fact-line ${className}`}>
      <span className="fact-icon" aria-hidden>
        {icon}
      </span>
      <div>{children}</div>
    </div>
  );
}

/** Guest or waiter, place, phone. `named` false where the name stands in the heading already. */
export function WhoAndWhere({ order, named = true }: { order: OrderRow; named?: boolean }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const how = fulfilment(order);
  const guest = guestName(order, language);
  return (
    <div className="fact-lines">
      {named && order.admin_id && (
        <Line icon={<SolutionOutlined />} className="fact-who">
          {t('order.waiter', { name: order.admin_name || t('order.no_name') })}
        </Line>
      )}
      {named && (!order.admin_id || guest) && (
        <Line icon={<UserOutlined />} className="fact-who">
          <GuestLink order={order} name={guest || t('order.no_name')} />
          {order.shadow_customer && (
            <div className="fact-detail">
              {t('order.orders_here', { count: order.shadow_customer.order_number })}
            </div>
          )}
        </Line>
      )}
      {how === 'here' && (
        <Line icon={<CoffeeOutlined />}>
          {order.table_name ? t('order.table', { name: order.table_name }) : t('order.here')}
        </Line>
      )}
      {how === 'pickup' && <Line icon={<ShoppingOutlined />}>{t('order.pickup')}</Line>}
      {how === 'delivery' &&
        (order.delivery_data ? (
          <Address address={order.delivery_data} />
        ) : (
          <Line icon={<EnvironmentOutlined />}>{t('order.no_address')}</Line>
        ))}
      {how === 'delivery' && order.delivery_found_by && <Region order={order} />}
      {order.phone_1 && (
        <Line icon={<PhoneOutlined />}>
          <a className="num fact-link" href={phoneUrl(order.phone_1)}>
            {formatPhone(order.phone_1)}
          </a>
        </Line>
      )}
    </div>
  );
}

/** The delivery region, or that there is none; marked where the address leads to another one. */
function Region({ order }: { order: OrderRow }) {
  const { t } = useTranslation();
  const { delivery_region_name: region, delivery_address_region_name: other } = order;
  const place = order.delivery_found_by === 'unknown' ? 'order.region_unknown' : 'order.region_outside';
  return (
    <Line icon={<AimOutlined />}>
      {region ? t('order.region', { region }) : <Chip tone="warning">{t(place)}</Chip>}
      {order.delivery_found_by === 'geocoded' && (
        <div className="fact-detail">{t('order.region_geocoded')}</div>
      )}
      {other && <Chip tone="warning">{t('order.region_by_address', { region: other })}</Chip>}
    </Line>
  );
}

/** The guest's name, which leads to the customer for who may see customers. */
function GuestLink({ order, name }: { order: OrderRow; name: string }) {
  const to = useCustomerUrl()(order);
  return to ? (
    <Link className="fact-link" to={to}>
      {name}
    </Link>
  ) : (
    name
  );
}

function Address({ address }: { address: DeliveryData }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const details = addressDetails(address).map(({ key, value, bare }) =>
    bare ? t(`order.address_${key}`, { value }) : value,
  );
  return (
    <>
      <Line icon={<EnvironmentOutlined />}>
        <a
          className="fact-link"
          href={mapUrl(address)}
          target="_blank"
          rel="noreferrer"
          title={t('order.map')}
        >
          {addressLine(address, language)}
          <span className="sr-only"> {t('order.map')}</span>
        </a>
        {details.length > 0 && <div className="fact-detail">{details.join(' · ')}</div>}
      </Line>
      {address.address_notes && (
        <Line icon={<MessageOutlined />} className="fact-note">
          {address.address_notes}
        </Line>
      )}
    </>
  );
}

/** Items with quantity, options and, in amber, what the guest wrote. Long ones fold after `fold` items. */
export function ItemList({ items, fold = Infinity }: { items: readonly RowItem[]; fold?: number }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  // One hidden item would save no room.
  const shown = open || items.length <= fold + 1 ? items : items.slice(0, fold);
  const hidden = items.length - shown.length;
  return (
    <>
      <ul className="items">
        {shown.map((item, at) => (
          // A row of a list has no ids of items; they keep their places.
          <li key={at} data-gone={leftOf(item) === 0}>
            <Quantity item={item} />
            <div className="items-text">
              {itemName(item)}
              {item.item_options && item.item_options.length > 0 && <Options options={item.item_options} />}
              {item.message && <div className="remark">{item.message}</div>}
            </div>
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <button type="button" className="items-more" onClick={() => setOpen(true)}>
          {t('order.more_items', { number: hidden })}
        </button>
      )}
    </>
  );
}

/** So many pieces; struck through as they were ordered where partial stornos took some. */
export function Quantity({ item }: { item: Pick<RowItem, 'quantity' | 'reversed_quantity'> }) {
  const { t } = useTranslation();
  const times = (quantity: number) => t('order.times', { quantity });
  if (!item.reversed_quantity) return <span className="items-quantity num">{times(item.quantity)}</span>;
  return (
    <span className="items-quantity num">
      <s aria-hidden>{times(item.quantity)}</s> {times(leftOf(item))}
      <span className="sr-only">
        {' '}
        {t('order.pieces_back', { back: item.reversed_quantity, ordered: item.quantity })}
      </span>
    </span>
  );
}

function Options({ options }: { options: NonNullable<RowItem['item_options']> }) {
  const { t } = useTranslation();
  return (
    <div className="items-options">
      {options
        .map((option) =>
          option.quantity > 1
            ? `${t('order.times', { quantity: option.quantity })} ${optionName(option)}`
            : optionName(option),
        )
        .join(', ')}
    </div>
  );
}

/** What is still to be done about its payment. */
const UNPAID = {
  delivery: 'order.unpaid_delivery',
  pickup: 'order.unpaid_pickup',
  here: 'order.unpaid_short',
};

/** Nobody takes money for what is paid online. */
const unpaidOnline = ({ status }: OrderRow) =>
  status === 'received' ? 'order.payment_online' : 'order.unpaid_online';

/** The cash that was announced, with the change that is brought along. */
function Announced({ order: { pays_with, change_due } }: { order: OrderRow }) {
  const { t } = useTranslation();
  const { money } = useFormat();
  if (pays_with == null) return null;
  const amount = money(pays_with);
  return (
    <span className="num">
      {' · '}
      {change_due == null
        ? t('order.pays_too_little', { amount })
        : t('order.pays_with_change', { amount, change: money(change_due) })}
    </span>
  );
}

/** Paid, partly, to be paid where it is handed over, or to be given back; in words, icon and colour. */
export function Payment({ order }: { order: OrderRow }) {
  const { t } = useTranslation();
  const { language, money } = useFormat();
  const state = payState(order);
  // One that is paid online becomes an order only by its payment.
  const paid = state === 'paid' || (state === 'due' && isPaid(order));
  const method = order.payment_method ? paymentName(order.payment_method, language) : t('order.no_method');
  const words = {
    paid: t('order.paid'),
    none: t('order.nothing_due'),
    due: t(order.payment_method?.paid_online ? unpaidOnline(order) : UNPAID[fulfilment(order)]),
    part: t('order.unpaid_rest', { amount: money(order.due) }),
    back: t('order.unpaid_back', { amount: money(unsigned(order.due)) }),
  };
  // By what it has been paid may be something else than what was chosen.
  const told = state === 'due' || state === 'part';
  return (
    <span className="payment" data-paid={paid} data-back={state === 'back'}>
      {paid ? (
        <CheckCircleOutlined aria-hidden />
      ) : state === 'back' ? (
        <RollbackOutlined aria-hidden />
      ) : (
        <WalletOutlined aria-hidden />
      )}
      <span>
        <b>{paid ? words.paid : words[state]}</b>
        {told && (
          <>
            {' '}
            · <span className="payment-method">{method}</span>
            <Announced order={order} />
          </>
        )}
      </span>
    </span>
  );
}
