import i18next from 'i18next';
import type { DrawerClose, DrawerCloseLine, Restaurant } from '../../generated/model';
import { type Amount, formatDateTime, formatMoney, type Language } from '../../lib/format';
import { unsigned } from '../order/payments/amount';
import { hundredths } from '../order/payments/exact';
import { isCash, verdictOf } from './model';
import '../order/slip/slip.css';
import { orderName } from '../../lib/orderName';

export interface CloseSlipProps {
  close: DrawerClose;
  restaurant: Pick<Restaurant, 'name' | 'timezone' | 'currency'>;
  language: Language;
  /** The name of a method. */
  method: (key: string) => string;
  now: Date;
}

/** A close on paper. */
export function CloseSlip({ close, restaurant, language, method, now }: CloseSlipProps) {
  const t = i18next.getFixedT(language);
  const at = (instant: string | Date) => formatDateTime(instant, restaurant.timezone);
  const money = (value: Amount, currency: string) => formatMoney(language, value, currency);
  return (
    <article className="slip" lang={language}>
      <header className="slip-head">
        <h1 className="slip-strong">{restaurant.name}</h1>
        <p>{t('drawer.one_close')}</p>
      </header>
      <p className="slip-strong">{close.courier_name ?? t('drawer.of_restaurant')}</p>
      <p>{at(close.created_at)}</p>
      <p>
        {t('drawer.business_day')}: {close.business_day.replaceAll('-', '/')}
      </p>
      <p>{close.actor_name}</p>
      {close.lines.map((line) => (
        <SlipLine
          key={`${line.payment_key} ${line.currency}`}
          line={line}
          name={
            line.currency === restaurant.currency
              ? method(line.payment_key)
              : `${method(line.payment_key)} (${line.currency.toUpperCase()})`
          }
          money={money}
          language={language}
        />
      ))}
      {close.persons && close.persons.length > 0 && (
        <>
          <p className="slip-strong">{t('drawer.persons')}</p>
          <table className="slip-table">
            <tbody>
              {close.persons.map((one) => (
                <tr key={`${one.actor_name} ${one.payment_key} ${one.currency}`}>
                  <td>
                    {one.actor_name || t('drawer.nobody')}, {method(one.payment_key)}
                  </td>
                  <td>{money(one.total, one.currency)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {close.assumed && close.assumed.length > 0 && (
        <>
          <p className="slip-strong">{t('drawer.assumed')}</p>
          <table className="slip-table">
            <tbody>
              {close.assumed.map((one) => (
                <tr key={one.payment_id}>
                  <td>
                    {orderName(t, one.counter)}, {method(one.payment_key)}
                  </td>
                  <td>{money(one.value, restaurant.currency)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {close.note && <p className="slip-remark">{close.note}</p>}
      <p className="slip-small">{t('drawer.printed_at', { at: at(now) })}</p>
    </article>
  );
}

interface LineProps {
  line: DrawerCloseLine;
  name: string;
  money: (value: Amount, currency: string) => string;
  language: Language;
}

function SlipLine({ line, name, money, language }: LineProps) {
  const t = i18next.getFixedT(language);
  const rows: [string, Amount][] = [
    [t('drawer.figure_left_before'), line.left_before],
    [t('drawer.figure_taken'), line.taken],
    [t('drawer.figure_given_back'), line.given_back],
    [t('drawer.figure_change_given'), line.change_given],
    [t('drawer.figure_moved'), line.moved],
  ];
  const difference = hundredths(line.difference);
  return (
    <table className="slip-table">
      <thead>
        <tr className="slip-total">
          <td colSpan={2}>{name}</td>
        </tr>
      </thead>
      <tbody>
        {rows
          .filter(([, value]) => hundredths(value) !== 0n)
          .map(([label, value]) => (
            <tr key={label}>
              <td>{label}</td>
              <td>{money(value, line.currency)}</td>
            </tr>
          ))}
        <tr>
          <td>{t('drawer.figure_expected')}</td>
          <td>{money(line.expected, line.currency)}</td>
        </tr>
        {line.counted == null ? (
          <tr>
            <td colSpan={2}>{t('drawer.not_counted')}</td>
          </tr>
        ) : (
          <>
            <tr>
              <td>{t('drawer.counted')}</td>
              <td>{money(line.counted, line.currency)}</td>
            </tr>
            <tr>
              <td colSpan={2}>
                <b>
                  {t(`drawer.${verdictOf(difference)}`, {
                    amount: money(unsigned(line.difference), line.currency),
                  })}
                </b>
              </td>
            </tr>
          </>
        )}
        {isCash(line) && (
          <tr>
            <td>{t('drawer.left_over')}</td>
            <td>{money(line.left_over, line.currency)}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
