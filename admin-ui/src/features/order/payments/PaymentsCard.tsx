import { WalletOutlined } from '@ant-design/icons';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../lib/access';
import { useFormat } from '../../../lib/format';
import { later } from '../../../lib/later';
import { Button } from '../../../lib/ui/Button';
import { Card } from '../../../lib/ui/page';
import { type Order, paymentName } from '../model';
import { useMethods } from './api';
import { plain } from './exact';
import { freeOf, heldOf, heldOnlineOf, isAlive, payState } from './model';
import { PaymentList } from './PaymentList';
import { unsigned } from './amount';
import './payments.css';

// Forms are loaded with the first payment.
const PayDialog = later(() => import('./PayDialog'));

interface Props {
  order: Order;
  onChanged: () => void;
}

/** What is due, what has been paid and is to go back, and taking money. */
export function PaymentsCard({ order, onChanged }: Props) {
  const { t } = useTranslation();
  const can = useCan();
  const [paying, setPaying] = useState(false);
  const payable = isAlive(order) && Number(order.due) > 0 && can('order_accept');
  // With the dialog they would be a moment of waiting.
  useMethods(payable);
  const nothingFree = freeOf(order) === 0n;
  return (
    <Card title={t('order.payments')} className="order-payments-card">
      <Sums order={order} />
      {payable && (
        <div className="pay-action">
          <Button
            type="primary"
            size="large"
            block
            icon={<WalletOutlined />}
            disabled={nothingFree}
            {...(nothingFree ? { 'aria-describedby': 'pay-all-waits' } : {})}
            onClick={() => setPaying(true)}
          >
            {t('order.pay')}
          </Button>
          {nothingFree && (
            <p className="edit-help" id="pay-all-waits">
              {t(heldOnlineOf(order) === heldOf(order) ? 'order.pay_all_online' : 'order.pay_all_waits')}
            </p>
          )}
        </div>
      )}
      <PaymentList order={order} onChanged={onChanged} />
      {paying && (
        <Suspense>
          <PayDialog order={order} onChanged={onChanged} onClose={() => setPaying(false)} />
        </Suspense>
      )}
    </Card>
  );
}

/** The figures; the one that somebody must act on is large. */
function Sums({ order }: { order: Order }) {
  const { t } = useTranslation();
  const { money, language } = useFormat();
  const state = payState(order);
  const online = heldOnlineOf(order);
  const atTerminal = heldOf(order) - online;
  return (
    <dl className="pay-sums" data-state={state}>
      {(state === 'due' || state === 'part') && (
        <div className="pay-sum-main">
          <dt>{t('order.due')}</dt>
          <dd className="num">{money(order.due)}</dd>
        </div>
      )}
      {state === 'back' && (
        <div className="pay-sum-main">
          <dt>{t('order.give_back')}</dt>
          <dd className="num">{money(unsigned(order.due))}</dd>
        </div>
      )}
      {Number(order.paid) > 0 && (
        <div className={state === 'paid' ? 'pay-sum-main' : ''}>
          <dt>{t('order.paid')}</dt>
          <dd className="num">{money(order.paid)}</dd>
        </div>
      )}
      {atTerminal > 0n && (
        <div>
          <dt>{t('order.waiting_sum')}</dt>
          <dd className="num">{money(plain(atTerminal))}</dd>
        </div>
      )}
      {online > 0n && (
        <div>
          <dt>{t('order.waiting_sum_online')}</dt>
          <dd className="num">{money(plain(online))}</dd>
        </div>
      )}
      {state === 'none' && (
        <div>
          <dt>{t('order.nothing_due')}</dt>
          <dd className="num">{money(0)}</dd>
        </div>
      )}
      {order.payment_method && (
        <div>
          <dt>{t('order.chosen_method')}</dt>
          <dd>{paymentName(order.payment_method, language)}</dd>
        </div>
      )}
      {order.pays_with != null && (state === 'due' || state === 'part') && (
        <>
          <div>
            <dt>{t('order.pays_with')}</dt>
            <dd className="num">{money(order.pays_with)}</dd>
          </div>
          {order.change_due != null && (
            <div>
              <dt>{t('order.change_due')}</dt>
              <dd className="num">{money(order.change_due)}</dd>
            </div>
          )}
        </>
      )}
    </dl>
  );
}
