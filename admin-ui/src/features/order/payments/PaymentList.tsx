import { useTranslation } from 'react-i18next';
import type { PayableTransaction, PaymentRefund } from '../../../generated/model';
import { formatMoney, useFormat } from '../../../lib/format';
import { Chip } from '../../../lib/ui/page';
import type { Order } from '../model';
import { type Mark, useMarks } from './marks';
import { OddMarks } from './OddMarks';
import { hasMoved, isWithdrawn, waitsForApproval } from './model';
import { PaymentActions } from './PaymentActions';
import { RefundActions } from './RefundActions';
import { unsigned } from './amount';
import { usePaymentWords, useRefundFault } from './words';

interface Props {
  order: Order;
  onChanged: () => void;
}

/** Money that has moved, payments that wait, and what is to be given back or could not be. */
export function PaymentList({ order, onChanged }: Props) {
  const { t } = useTranslation();
  const open = order.refunds.filter(({ state }) => state !== 'succeeded');
  const marks = useMarks(order);
  if (order.payable_transactions.length + open.length === 0) return null;
  return (
    <ul className="order-payments" aria-label={t('order.payment_list')}>
      {order.payable_transactions.map((row) => (
        <Row
          key={row.id}
          order={order}
          row={row}
          marks={(!row.refund_id && marks.get(row.attempt_id ?? '')) || []}
          onChanged={onChanged}
        />
      ))}
      {open.map((refund) => (
        <OpenRefund key={refund.id} refund={refund} onChanged={onChanged} />
      ))}
    </ul>
  );
}

/** What it waits for. */
function Waits({ row: { status, provider_ref } }: { row: PayableTransaction }) {
  const { t } = useTranslation();
  if (status === 'unknown') return <Chip tone="error">{t('order.payment_unknown')}</Chip>;
  if (status === 'authorised' && provider_ref) return <Chip tone="info">{t('order.payment_held')}</Chip>;
  return <Chip tone="warning">{t(provider_ref ? 'order.payment_online' : 'order.payment_waits')}</Chip>;
}

function Row({ order, row, marks, onChanged }: Props & { row: PayableTransaction; marks: readonly Mark[] }) {
  const { t } = useTranslation();
  const { money, dateTime } = useFormat();
  const words = usePaymentWords();
  const refund = order.refunds.find(({ id }) => id === row.refund_id);
  const name = words.method(row.payment_key) || t('order.no_method');
  return (
    <li data-refund={Boolean(row.refund_id)} data-waits={!hasMoved(row)}>
      <div className="payment-line">
        <b>{row.refund_id ? t('order.given_back_by', { method: name }) : name}</b>
        <b className="num">{money(row.value)}</b>
      </div>
      {!hasMoved(row) && <Waits row={row} />}
      {row.assumed && <Chip tone="neutral">{t('order.assumed')}</Chip>}
      {row.moved && <Chip tone="neutral">{t('order.moved')}</Chip>}
      <Details row={row} />
      {refund && <RefundWords refund={refund} />}
      <p className="payment-by">
        {row.paid_at && <span className="num">{dateTime(row.paid_at)}</span>}
        {row.paid_at && words.by(row.actor_name, row.surface) && ' · '}
        {words.by(row.actor_name, row.surface)}
      </p>
      {marks.length > 0 && <OddMarks marks={marks} id={row.attempt_id ?? ''} />}
      <PaymentActions order={order} row={row} onChanged={onChanged} />
    </li>
  );
}

/** Tip, coins, what was handed over and what went back, and what stands on the slip of a card. */
function Details({ row }: { row: PayableTransaction }) {
  const { t } = useTranslation();
  const { language, money } = useFormat();
  const handed = row.currency ?? undefined;
  const told = [
    Number(row.tip) !== 0 && t('order.with_tip', { amount: money(row.tip) }),
    Number(row.rounding) !== 0 && t('order.with_rounding', { amount: money(row.rounding) }),
    row.handed_over != null &&
      handed &&
      t(row.refund_id ? 'order.handed_back' : 'order.with_handed', {
        amount: formatMoney(language, unsigned(row.handed_over), handed),
      }),
    row.rate != null && t('order.with_rate', { rate: money(row.rate) }),
    Number(row.change_given) !== 0 && t('order.with_change', { amount: money(row.change_given) }),
    row.issuer && t(`order.issuer_${row.issuer}`),
    row.authorisation_number && t('order.with_number', { number: row.authorisation_number }),
    row.payment_info,
  ].filter(Boolean);
  return told.length > 0 ? <p className="payment-details">{told.join(' · ')}</p> : null;
}

/** Why it goes back, who asked, and whose PIN allowed it. */
function RefundWords({ refund }: { refund: PaymentRefund }) {
  const { t } = useTranslation();
  const told = [
    refund.by_storno && t('order.by_storno'),
    refund.reason,
    refund.approved_by_name && t('order.approved_by', { name: refund.approved_by_name }),
  ].filter(Boolean);
  return told.length > 0 ? <p className="payment-details">{told.join(' · ')}</p> : null;
}

/** Asked, or could not be given back. */
function OpenRefund({ refund, onChanged }: { refund: PaymentRefund } & Pick<Props, 'onChanged'>) {
  const { t } = useTranslation();
  const { money, dateTime } = useFormat();
  const words = usePaymentWords();
  const failed = refund.state === 'failed';
  const withdrawn = isWithdrawn(refund);
  const why = useRefundFault()(refund);
  const by = failed ? (refund.done_by_name ?? refund.actor_name) : refund.actor_name;
  return (
    <li data-refund="true" data-waits={!failed}>
      <div className="payment-line">
        <b>{t('order.to_give_back_by', { method: words.method(refund.payment_key) })}</b>
        <b className="num">{money(refund.amount)}</b>
      </div>
      <Chip tone={withdrawn ? 'neutral' : failed ? 'error' : 'warning'}>
        {withdrawn && t('order.refund_withdrawn')}
        {!withdrawn && t(`order.refund_${waitsForApproval(refund) ? 'waits' : refund.state}`)}
      </Chip>
      {Number(refund.tip) > 0 && (
        <p className="payment-details">{t('order.with_tip', { amount: money(refund.tip) })}</p>
      )}
      <RefundWords refund={refund} />
      {why && <p className="payment-details">{why}</p>}
      <p className="payment-by">
        <span className="num">{dateTime((failed && refund.final_at) || refund.created_at)}</span> ·{' '}
        {words.by(by)}
      </p>
      <RefundActions refund={refund} onChanged={onChanged} />
    </li>
  );
}
