import { Alert } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Payment, PaymentRefund } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { usePageUrl } from '../../lib/navigation';
import { providerName } from '../../lib/paymentProviders';
import { Facts } from '../../lib/ui/page';
import { SideDrawer } from '../../lib/ui/SideDrawer';
import { QueryFallback } from '../../lib/ui/states';
import { marksOf } from '../order/payments/marks';
import { RefundActions } from '../order/payments/RefundActions';
import { usePaymentWords, useRefundFault } from '../order/payments/words';
import { Actions, LookButton } from './Actions';
import { usePayment } from './api';
import { Conversation } from './Conversation';
import { feeOf, isOnline, wholeOf } from './model';
import { actorName, Badges, By, OrderLink, Reference, RefundChip, StateChip, useMoneyOf } from './parts';
import { WhyNot } from './WhyNot';

interface Props {
  id: string;
  onChanged: () => void;
  onClose: () => void;
}

/** One payment: its money, its refunds, what was said about it, and what may be done. */
export function PaymentDrawer({ id, onChanged, onClose }: Props) {
  const { t } = useTranslation();
  const { title } = usePaymentWords();
  const query = usePayment(id);
  const payment = query.data;
  return (
    <SideDrawer
      title={
        payment
          ? t('payments.one', { what: title(payment.payment_key, payment.amount) })
          : t('payments.one_title')
      }
      onClose={onClose}
      footer={payment && <Actions payment={payment} onChanged={onChanged} />}
    >
      {payment ? (
        <div className="payments-one">
          <Content payment={payment} onChanged={onChanged} />
        </div>
      ) : (
        <QueryFallback query={query} rows={8} />
      )}
    </SideDrawer>
  );
}

interface PartProps {
  payment: Payment;
  onChanged: () => void;
}

function Content({ payment, onChanged }: PartProps) {
  const { t } = useTranslation();
  const { refunds, conversation } = payment;
  return (
    <>
      <span className="payments-chips">
        <StateChip state={payment.state} />
        <Badges payment={payment} />
      </span>
      <Odd payment={payment} onChanged={onChanged} />
      <WhyNot payment={payment} />
      <Money payment={payment} />
      {refunds && refunds.length > 0 && (
        <Section title={t('payments.refunds')}>
          <ul className="order-payments">
            {refunds.map((refund) => (
              <Refund key={refund.id} refund={refund} payment={payment} onChanged={onChanged} />
            ))}
          </ul>
        </Section>
      )}
      <Section title={t('payments.conversation')}>
        {conversation && conversation.length > 0 ? (
          <Conversation payment={payment} lines={conversation} />
        ) : (
          <p className="payments-small">{t('payments.no_conversation')}</p>
        )}
      </Section>
    </>
  );
}

const Section = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <section>
    <h3>{title}</h3>
    {children}
  </section>
);

/** What somebody should look at, or has looked at. */
function Odd({ payment, onChanged }: PartProps) {
  const { t } = useTranslation();
  const marks = marksOf(payment);
  if (marks.length === 0) return null;
  return (
    <Alert
      type={payment.attention ? 'warning' : 'info'}
      showIcon
      title={t(payment.attention ? 'payments.attention_title' : 'payments.looked_title')}
      description={
        <>
          <ul className="payments-odd">
            {marks.map((mark) => (
              <li key={mark}>{t(`order.mark_${mark}`)}</li>
            ))}
          </ul>
          {payment.attention && <LookButton payment={payment} onChanged={onChanged} />}
        </>
      }
    />
  );
}

function Money({ payment }: { payment: Payment }) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const words = usePaymentWords();
  const money = useMoneyOf(payment);
  const fee = feeOf(payment);
  const amount = (value: Payment['amount'] | string) => <span className="num">{money(value)}</span>;
  const when = (at: string) => <span className="num">{dateTime(at)}</span>;
  const { provider, provider_ref, authorisation_number } = payment;
  const rows: (readonly [ReactNode, ReactNode] | false)[] = [
    [t('payments.order'), <OrderLink key="order" id={payment.order_id} counter={payment.order_counter} />],
    [t('payments.covered'), amount(payment.amount)],
    Number(payment.tip) !== 0 && [t('payments.tip'), amount(payment.tip)],
    [t('payments.captured'), amount(payment.captured)],
    Number(payment.refunded) !== 0 && [t('payments.refunded'), amount(payment.refunded)],
    fee != null && [t('payments.fee'), amount(fee)],
    [t('payments.kind'), t([`payments.kind.${payment.kind}`, 'payments.kind.by_hand'])],
    Boolean(provider) && [t('payments.provider'), providerName(provider!)],
    Boolean(provider_ref) && [t('payments.provider_ref'), <Reference key="ref" text={provider_ref!} />],
    Boolean(authorisation_number) && [t('order.authorisation_number'), authorisation_number],
    !isOnline(payment) && [t('payments.taken_by'), words.by(payment.actor_name, payment.surface)],
    [t('payments.began'), when(payment.created_at)],
    Boolean(payment.final_at) && [t('payments.ended'), when(payment.final_at!)],
  ];
  return (
    <div>
      <Facts rows={rows.filter((row) => row !== false)} />
      <OfOrder payment={payment} />
    </div>
  );
}

/** The other tries for the same order. */
function OfOrder({ payment: { order_id } }: { payment: Payment }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  return (
    <Link className="payments-order" to={url('payments', undefined, { order_id })}>
      {t('payments.of_order')}
    </Link>
  );
}

function Refund({ refund, payment, onChanged }: PartProps & { refund: PaymentRefund }) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const money = useMoneyOf(payment);
  const fault = useRefundFault()(refund);
  return (
    <li>
      <div className="payment-line">
        <b className="num">{money(wholeOf(refund))}</b>
        <RefundChip refund={refund} />
      </div>
      {[fault, refund.reason].filter(Boolean).map((text) => (
        <p key={text} className="payment-details">
          {text}
        </p>
      ))}
      <p className="payment-by">
        <span className="num">{dateTime(refund.created_at)}</span> · <By refund={refund} />
        {refund.approved_by_name && ` · ${t('order.approved_by', { name: refund.approved_by_name })}`}
        {refund.done_by_name && refund.done_by_name !== refund.actor_name && (
          <> · {actorName(refund.done_by_name)}</>
        )}
      </p>
      <RefundActions refund={refund} onChanged={onChanged} />
    </li>
  );
}
