import i18next from 'i18next';
import { formatDateTime, formatMoney, formatPercent, formatTime, type Language } from '../../../lib/format';
import type { Restaurant } from '../../../generated/model';
import { channelName } from '../Channel';
import {
  addressDetails,
  addressLine,
  fulfilment,
  guestName,
  isPaid,
  itemName,
  optionName,
  paymentName,
  priceRows,
  type Order,
  type OrderItem,
} from '../model';
import { leftOf, totalLeft } from '../payments/model';
import { formatPhone } from '../phone';
import { timeWindow } from '../times';
import './slip.css';

export type SlipKind = 'kitchen' | 'guest';

/** The restaurant's facts a slip shows; the address only where the service tells it. */
export type SlipRestaurant = Pick<Restaurant, 'name' | 'timezone' | 'currency' | 'primary_language'> &
  Partial<Pick<Restaurant, 'city' | 'phone_1'>> & {
    postcode?: string | null;
    street?: string | null;
    premise_number?: string | null;
  };

interface SlipProps {
  order: Order;
  restaurant: SlipRestaurant;
  language: Language;
  /** When it is printed. */
  now: Date;
}

// A slip is written in a language of its own (the guest's), not in the interface's.
const words = (language: Language) => i18next.getFixedT(language);
const day = (instant: string, zone: string) => formatDateTime(instant, zone).slice(0, 10);

/** The kitchen slip of 80 mm: large items with the guest's wishes, no prices. */
export function KitchenSlip({ order, restaurant, language, now }: SlipProps) {
  const t = words(language);
  const zone = restaurant.timezone;
  const name = order.admin_id ? order.admin_name : guestName(order, language);
  return (
    <article className="slip slip-kitchen" lang={language}>
      {order.is_test && <p className="slip-banner">{t('slip.test')}</p>}
      <h1 className="slip-counter">{order.counter ?? t('order.no_counter')}</h1>
      <p className="slip-strong">
        {order.table_name ? t('order.table', { name: order.table_name }) : t(`slip.${fulfilment(order)}`)} ·{' '}
        {channelName(order.platform, t)}
      </p>
      {order.is_preorder && order.expected_at && (
        <p className="slip-banner">{t('slip.preorder', { date: day(order.expected_at, zone) })}</p>
      )}
      <p className="slip-time">
        {order.expected_at ? timeWindow(order.expected_at, zone) : t('slip.as_soon_as_possible')}
      </p>
      <p>
        {t('slip.ordered', { time: formatTime(order.created_at, zone) })}
        {name ? ` · ${name}` : ''}
      </p>
      <ul className="slip-items">
        {/* What was taken back is not made. */}
        {order.items
          .filter((item) => leftOf(item) > 0)
          .map((item) => (
            <li key={item.id}>
              <div className="slip-item">
                <span>{t('order.times', { quantity: leftOf(item) })}</span>
                <span>{itemName(item)}</span>
              </div>
              {item.item_options.map((option) => (
                <div key={option.option_id} className="slip-option">
                  + {option.quantity > 1 ? `${t('order.times', { quantity: option.quantity })} ` : ''}
                  {optionName(option)}
                </div>
              ))}
              {item.message && <div className="slip-remark">{item.message}</div>}
            </li>
          ))}
      </ul>
      {order.message && <div className="slip-remark">{order.message}</div>}
      <p className="slip-small">{t('slip.printed', { time: formatDateTime(now, zone) })}</p>
    </article>
  );
}

/** The guest's slip of 80 mm: name, items, amounts. It says that it is no tax receipt. */
export function GuestSlip({ order, restaurant, language, now }: SlipProps) {
  const t = words(language);
  const zone = restaurant.timezone;
  const money: Money = (amount) => formatMoney(language, amount, restaurant.currency);
  const secondary = language !== restaurant.primary_language;
  const how = fulfilment(order);
  return (
    <article className="slip" lang={language}>
      <header className="slip-head">
        <p className="slip-strong">{restaurant.name}</p>
        <p>{addressLine(restaurant, language)}</p>
        {restaurant.phone_1 && <p>{formatPhone(restaurant.phone_1)}</p>}
      </header>
      {order.is_test && <p className="slip-banner">{t('slip.test')}</p>}
      <h1 className="slip-counter slip-counter-small">{order.counter ?? t('order.no_counter')}</h1>
      <p>{t('slip.ordered_at', { time: formatDateTime(order.created_at, zone) })}</p>
      {order.expected_at && (
        <p>
          {t(how === 'delivery' ? 'slip.arrives' : 'slip.ready', {
            date: day(order.expected_at, zone),
            time: timeWindow(order.expected_at, zone),
          })}
        </p>
      )}
      <p>{order.table_name ? t('order.table', { name: order.table_name }) : t(`slip.${how}`)}</p>
      <Guest order={order} language={language} />
      <Items order={order} language={language} secondary={secondary} money={money} />
      <p>
        {[
          order.payment_method && paymentName(order.payment_method, language),
          isPaid(order) ? t('order.paid') : t('order.unpaid_short'),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {order.pays_with != null && order.change_due != null && (
        <table className="slip-table slip-sums">
          <tbody>
            <tr>
              <td>{t('order.pays_with')}</td>
              <td>{money(order.pays_with)}</td>
            </tr>
            <tr className="slip-change">
              <td>{t('order.change_due')}</td>
              <td>{money(order.change_due)}</td>
            </tr>
          </tbody>
        </table>
      )}
      <Vats order={order} language={language} money={money} />
      <p className="slip-thanks">{t('slip.thanks')}</p>
      <p className="slip-small">{t('slip.no_receipt')}</p>
      <p className="slip-small">{t('slip.printed', { time: formatDateTime(now, zone) })}</p>
    </article>
  );
}

type Money = (amount: Parameters<typeof formatMoney>[1]) => string;

/** Receiver and address. */
function Guest({ order, language }: Pick<SlipProps, 'order' | 'language'>) {
  const t = words(language);
  const address = order.delivery_data;
  return (
    <section className="slip-guest">
      {guestName(order, language) && <p>{guestName(order, language)}</p>}
      {order.phone_1 && <p>{formatPhone(order.phone_1)}</p>}
      {fulfilment(order) === 'delivery' && address && (
        <>
          <p>{addressLine(address, language)}</p>
          <p>
            {addressDetails(address)
              .map(({ key, value, bare }) => (bare ? t(`order.address_${key}`, { value }) : value))
              .join(', ')}
          </p>
          {address.address_notes && <p>{address.address_notes}</p>}
        </>
      )}
      {order.message && <p>{order.message}</p>}
    </section>
  );
}

/** Each item with its price, then the steps to the total. */
function Items({
  order,
  language,
  secondary,
  money,
}: Pick<SlipProps, 'order' | 'language'> & { secondary: boolean; money: Money }) {
  const t = words(language);
  return (
    <table className="slip-table">
      <tbody>
        {order.items.map((item) => (
          <GuestItem
            key={item.id}
            item={item}
            secondary={secondary}
            money={money}
            times={t('order.times', { quantity: item.quantity })}
          />
        ))}
      </tbody>
      <tbody className="slip-sums">
        {priceRows(order).map(({ step, amount, name }, index) => (
          <tr key={index}>
            <td>{name ?? t(`order.step_${step}`)}</td>
            <td>{money(amount)}</td>
          </tr>
        ))}
        {Number(order.reversed_price) !== 0 && (
          <tr>
            <td>{t('order.total_reversed')}</td>
            <td>{money(order.reversed_price)}</td>
          </tr>
        )}
        <tr className="slip-total">
          <td>{t('order.total')}</td>
          <td>{money(totalLeft(order))}</td>
        </tr>
      </tbody>
    </table>
  );
}

function Vats({ order, language, money }: Pick<SlipProps, 'order' | 'language'> & { money: Money }) {
  const t = words(language);
  return (
    <table className="slip-table slip-vats">
      <thead>
        <tr>
          <th>{t('order.vat')}</th>
          <th>{t('order.net')}</th>
          <th>{t('order.vat_amount')}</th>
          <th>{t('order.gross')}</th>
        </tr>
      </thead>
      <tbody>
        {(order.vats_left ?? order.vats).map((vat) => (
          <tr key={String(vat.percent)}>
            <td>{formatPercent(language, vat.percent)}</td>
            <td>{money(vat.net)}</td>
            <td>{money(vat.vat)}</td>
            <td>{money(vat.gross)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function GuestItem({
  item,
  secondary,
  money,
  times,
}: {
  item: OrderItem;
  secondary: boolean;
  money: Money;
  times: string;
}) {
  return (
    <tr>
      <td>
        {times} {itemName(item, secondary)}
        {item.item_options.map((option) => (
          <div key={option.option_id} className="slip-sub">
            + {optionName(option, secondary)}
            {Number(option.total_price) === 0 ? '' : ` (${money(option.total_price)})`}
          </div>
        ))}
        {item.message && <div className="slip-sub">{item.message}</div>}
        {item.quantity > 1 && (
          <div className="slip-sub">
            {times} {money(item.unit_price)}
          </div>
        )}
      </td>
      <td>{money(item.total_price)}</td>
    </tr>
  );
}
