import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  CloseCircleOutlined,
  EyeOutlined,
  LockOutlined,
  MinusCircleOutlined,
  QuestionCircleOutlined,
  RollbackOutlined,
} from '@ant-design/icons';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Payment, PaymentRefund } from '../../generated/model';
import type { PaymentState } from '../../generated/model/paymentState';
import type { RefundState } from '../../generated/model/refundState';
import type { Column } from '../../lib/crud';
import { type Amount, formatMoney, useFormat } from '../../lib/format';
import { usePageUrl } from '../../lib/navigation';
import { orderName } from '../../lib/orderName';
import { providerName } from '../../lib/paymentProviders';
import { Chip } from '../../lib/ui/page';
import { CopyButton } from '../../lib/ui/states';
import { isNotTaken } from '../order/payments/marks';
import { isWithdrawn, waitsForApproval } from '../order/payments/model';
import { usePaymentWords } from '../order/payments/words';
import { REFUND_TONES, TONES } from './model';

const ICONS: Record<PaymentState | RefundState, ComponentType> = {
  created: ClockCircleOutlined,
  pending: ClockCircleOutlined,
  authorised: LockOutlined,
  captured: CheckCircleOutlined,
  succeeded: CheckCircleOutlined,
  failed: CloseCircleOutlined,
  cancelled: MinusCircleOutlined,
  expired: MinusCircleOutlined,
  refunded: RollbackOutlined,
  unknown: QuestionCircleOutlined,
};

export function StateChip({ state }: Pick<Payment, 'state'>) {
  const { t } = useTranslation();
  const Icon = ICONS[state];
  return (
    <Chip tone={TONES[state]} icon={<Icon aria-hidden />}>
      {t(`payments.state.${state}`)}
    </Chip>
  );
}

export function RefundChip({ refund }: { refund: PaymentRefund }) {
  const { t } = useTranslation();
  const withdrawn = isWithdrawn(refund);
  const Icon = withdrawn ? MinusCircleOutlined : ICONS[refund.state];
  return (
    <Chip tone={withdrawn ? 'neutral' : REFUND_TONES[refund.state]} icon={<Icon aria-hidden />}>
      {withdrawn && t('order.refund_withdrawn')}
      {waitsForApproval(refund) && t('order.refund_waits')}
      {!withdrawn && !waitsForApproval(refund) && t(`payments.refund_state.${refund.state}`)}
    </Chip>
  );
}

/** That a part went back, that somebody should look, what is odd, and that it is no real money. */
export function Badges({ payment }: { payment: Payment }) {
  const { t } = useTranslation();
  const money = useMoneyOf(payment);
  const { attention, conflict, amount_mismatch, late, environment, refunded, captured } = payment;
  const odd = [
    conflict && 'conflict',
    amount_mismatch && 'other_amount',
    late && 'late',
    isNotTaken(payment) && 'not_taken',
  ].filter((one) => one !== false);
  return (
    <>
      {Number(refunded) > 0 && Number(refunded) < Number(captured) && (
        <Chip tone="violet" icon={<RollbackOutlined aria-hidden />}>
          {t('payments.partly_refunded', { amount: money(refunded) })}
        </Chip>
      )}
      {attention && (
        <Chip tone="error" icon={<EyeOutlined aria-hidden />}>
          {t('payments.attention')}
        </Chip>
      )}
      {odd.map((one) => (
        <Chip key={one} tone="warning">
          {t(`payments.badge.${one}`)}
        </Chip>
      ))}
      {environment && environment !== 'live' && <Chip tone="neutral">{t('payments.test')}</Chip>}
    </>
  );
}

/** The way to the order. */
export function OrderLink({ id, counter }: { id: string; counter: string | null | undefined }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  return (
    <Link className="payments-order num" to={url('order_page', id)}>
      {orderName(t, counter)}
    </Link>
  );
}

/** Copied into the search of the provider's own page. */
export function Reference({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <span className="payments-reference">
      <code>{text}</code> <CopyButton text={text} label={t('payments.copy_ref')} />
    </span>
  );
}

/** When a payment or refund was begun, and its order: how its row begins. */
export function useFirstColumns(): Column<
  Pick<Payment, 'id' | 'created_at' | 'order_id' | 'order_counter'>
>[] {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  return [
    {
      key: 'time',
      title: t('payments.time'),
      render: ({ created_at }) => <span className="num">{dateTime(created_at)}</span>,
    },
    {
      key: 'order',
      title: t('payments.order'),
      render: ({ order_id, order_counter }) => <OrderLink id={order_id} counter={order_counter} />,
    },
  ];
}

/** Amounts of any currency. */
export function useMoneyOf({ currency }: Pick<Payment, 'currency'>): (value: Amount) => string {
  const { language } = useFormat();
  return (value) => formatMoney(language, value, currency);
}

/** The name of a method, or its key while the names are not there. */
export function useMethodName(): (key: string) => string {
  const { method } = usePaymentWords();
  return (key) => method(key) || key;
}

/** By whom: a person, a provider, or nothing where the guest or the service did it. */
export const actorName = (name: string | null | undefined): string => (name ? providerName(name) : '');

/** A storno asks too. */
export function By({ refund }: { refund: PaymentRefund }) {
  const { t } = useTranslation();
  const told = [actorName(refund.actor_name), refund.by_storno && t('order.by_storno')].filter(Boolean);
  return <>{told.join(' · ') || t('payments.by_itself')}</>;
}
