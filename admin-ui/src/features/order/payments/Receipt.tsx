import { CheckCircleFilled, ClockCircleFilled } from '@ant-design/icons';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Payment } from '../../../generated/model';
import { formatMoney, useFormat } from '../../../lib/format';
import { Button } from '../../../lib/ui/Button';
import type { Order } from '../model';
import { isCash } from './model';
import { usePaymentWords } from './words';

interface Props {
  payment: Payment;
  order: Order;
  onNext: () => void;
  onClose: () => void;
}

/** A second Enter right behind the one that paid closes nothing: the change would not be seen. Milliseconds. */
const ENTER_AGAIN_MS = 600;

/** What the service says of a payment that was just taken: the change, big, and what is left. */
export function Receipt({ payment, onNext, onClose }: Props) {
  const { t } = useTranslation();
  const { language, money } = useFormat();
  const { title } = usePaymentWords();
  const id = useId();
  const since = useRef(0);
  useEffect(() => {
    since.current = performance.now();
  }, []);
  const notAgain = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && performance.now() - since.current < ENTER_AGAIN_MS) event.preventDefault();
  };
  const waits = payment.state === 'pending';
  const left = Number(payment.due) > 0;
  const rows: [string, string][] = [];
  if (Number(payment.tip) > 0) rows.push([t('order.pay_tip'), money(payment.tip)]);
  if (Number(payment.rounding ?? 0) !== 0) rows.push([t('order.rounding'), money(payment.rounding)]);
  if (isCash(payment.payment_key) && payment.handed_over != null)
    rows.push([t('order.handed_over'), formatMoney(language, payment.handed_over, payment.handed_currency)]);
  if (payment.rate != null) rows.push([t('order.rate'), money(payment.rate)]);
  return (
    <div className="receipt" onKeyDown={notAgain}>
      <div id={id}>
        <p className="receipt-title">
          {waits ? <ClockCircleFilled aria-hidden /> : <CheckCircleFilled aria-hidden />}
          {t(waits ? 'order.pay_waits' : 'order.pay_done', {
            what: title(payment.payment_key, payment.amount),
          })}
        </p>
        <dl className="order-sums">
          {rows.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="num">{value}</dd>
            </div>
          ))}
          {isCash(payment.payment_key) && (
            <div className="receipt-change">
              <dt>{t('order.change')}</dt>
              <dd className="num">{money(payment.change_given ?? 0)}</dd>
            </div>
          )}
          {left && (
            <div>
              <dt>{t('order.still_due')}</dt>
              <dd className="num">{money(payment.due)}</dd>
            </div>
          )}
        </dl>
      </div>
      <div className="form-buttons">
        {left && !waits && <Button onClick={onNext}>{t('order.pay_next')}</Button>}
        <Button type="primary" size="large" autoFocus aria-describedby={id} onClick={onClose}>
          {t('order.pay_close')}
        </Button>
      </div>
    </div>
  );
}
