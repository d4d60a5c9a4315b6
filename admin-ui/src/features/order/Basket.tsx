import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { itemName, optionName, priceRows, rates, type Order } from './model';
import { Quantity } from './parts';
import { leftOf, totalLeft } from './payments/model';

/** What was ordered. Amounts are those of the order: later changes of the menu never alter it. */
export function Basket({ order }: { order: Order }) {
  const { t } = useTranslation();
  const { money, percent } = useFormat();
  return (
    <table className="order-table">
      <thead>
        <tr>
          <th>{t('order.item')}</th>
          <th className="wide">{t('order.vat')}</th>
          <th className="wide">{t('order.unit_price')}</th>
          <th>{t('order.amount')}</th>
        </tr>
      </thead>
      <tbody>
        {order.items.map((item) => (
          <tr key={item.id} data-gone={leftOf(item) === 0}>
            <td>
              <div className="order-item">
                <Quantity item={item} />
                <div>
                  <b className="order-item-name">{itemName(item)}</b>
                  {item.gift_of && <span className="order-option"> {t('order.gift')}</span>}
                  {item.item_options.map((option) => (
                    <div key={option.option_id} className="order-option">
                      <span>
                        {option.group_name ? `${option.group_name}: ` : ''}
                        {option.quantity > 1 ? `${t('order.times', { quantity: option.quantity })} ` : ''}
                        {optionName(option)}
                      </span>
                      {Number(option.total_price) !== 0 && (
                        <span className="num"> ({money(option.total_price)})</span>
                      )}
                    </div>
                  ))}
                  {item.message && <div className="remark">{item.message}</div>}
                  <div className="narrow order-option num">
                    {t('order.each', { price: money(item.unit_price) })} · {t('order.vat')}{' '}
                    {rates(item).map(percent).join(', ')}
                  </div>
                </div>
              </div>
            </td>
            <td className="num wide">{rates(item).map(percent).join(', ')}</td>
            <td className="num wide">{money(item.unit_price)}</td>
            <td className="num order-item-price">{money(item.total_price)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** How the total came about. The service added it up. */
export function PriceSummary({ order }: { order: Order }) {
  const { t } = useTranslation();
  const { money } = useFormat();
  return (
    <dl className="order-sums">
      {priceRows(order).map(({ step, amount, name }, index) => (
        <div key={index}>
          <dt>{name ?? t(`order.step_${step}`)}</dt>
          <dd className="num">{money(amount)}</dd>
        </div>
      ))}
      {Number(order.reversed_price) !== 0 && (
        <>
          <div>
            <dt>{t('order.total_ordered')}</dt>
            <dd className="num">{money(order.total_price)}</dd>
          </div>
          <div>
            <dt>{t('order.total_reversed')}</dt>
            <dd className="num">{money(order.reversed_price)}</dd>
          </div>
        </>
      )}
      <div className="order-total">
        <dt>{t('order.total')}</dt>
        <dd className="num">{money(totalLeft(order))}</dd>
      </div>
    </dl>
  );
}

/** Sums by rate, as the service made them; without what partial stornos took back. */
export function VatSummary({ order }: { order: Order }) {
  const { t } = useTranslation();
  const { money, percent } = useFormat();
  return (
    <table className="order-table order-vats">
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
            <td className="num">{percent(vat.percent)}</td>
            <td className="num">{money(vat.net)}</td>
            <td className="num">{money(vat.vat)}</td>
            <td className="num">{money(vat.gross)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
