import { CheckOutlined, ReloadOutlined } from '@ant-design/icons';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { paymentsInquire, paymentsLook } from '../../generated/client/payments/payments';
import type { PayableTransaction, Payment } from '../../generated/model';
import { useCan } from '../../lib/access';
import { later } from '../../lib/later';
import { here } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { useWork } from '../../lib/ui/work';
import { readOrder } from '../order/api';
import type { Order } from '../order/model';
import { canRefund } from '../order/payments/model';
import { useStornoRight } from '../order/useStornoRight';
import { isOnline, leftOf } from './model';

// Forms are loaded with the first one.
const ConfirmDialog = later(() => import('./ConfirmDialog'));
const RefundDialog = later(() => import('../order/payments/RefundDialog'));

interface Props {
  payment: Payment;
  onChanged: () => void;
}

/** Asking the provider, saying what became of it, giving it back; each only with its right. */
export function Actions({ payment, onChanged }: Props) {
  const can = useCan();
  const { may } = useStornoRight();
  const accepts = can('order_accept') && isOnline(payment);
  const canSay = accepts && payment.state === 'unknown';
  const canGive = may && Number(leftOf(payment)) > 0;
  if (!accepts && !canGive) return null;
  return (
    <div className="payments-actions">
      {accepts && <AskButton payment={payment} onChanged={onChanged} />}
      {canSay && <SayButton payment={payment} onChanged={onChanged} />}
      {canGive && <RefundButton payment={payment} onChanged={onChanged} />}
    </div>
  );
}

function AskButton({ payment, onChanged }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const { busy, work } = useWork();
  const ask = () =>
    work(async () => {
      await paymentsInquire(...here(), payment.id);
      onChanged();
      notify.success(t('payments.asked'), t('payments.asked_text'));
    });
  return (
    <Button icon={<ReloadOutlined />} loading={busy} onClick={() => void ask()}>
      {t('payments.ask')}
    </Button>
  );
}

/** The odd thing is seen to; it is marked again when something new happens. */
export function LookButton({ payment, onChanged }: Props) {
  const { t } = useTranslation();
  const can = useCan();
  const { busy, work } = useWork();
  const look = () =>
    work(async () => {
      await paymentsLook(...here(), payment.id);
      onChanged();
    });
  return can('order_accept') ? (
    <Button icon={<CheckOutlined />} loading={busy} onClick={() => void look()}>
      {t('payments.look')}
    </Button>
  ) : null;
}

function SayButton({ payment, onChanged }: Props) {
  const { t } = useTranslation();
  const [saying, setSaying] = useState(false);
  return (
    <>
      <Button onClick={() => setSaying(true)}>{t('payments.say')}</Button>
      {saying && (
        <Suspense>
          <ConfirmDialog payment={payment} onChanged={onChanged} onClose={() => setSaying(false)} />
        </Suspense>
      )}
    </>
  );
}

/** The order is read first: how much of the payment is left stands in its ledger. */
function RefundButton({ payment, onChanged }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const { busy, work } = useWork();
  const [giving, setGiving] = useState<{ order: Order; row: PayableTransaction }>();
  const open = () =>
    work(async () => {
      const order = await readOrder(payment.order_id);
      const row = order.payable_transactions.find(
        (one) => one.attempt_id === payment.id && canRefund(order, one),
      );
      if (row) setGiving({ order, row });
      // The items were changed, or others have given it back meanwhile.
      else notify.info(t('payments.refund_elsewhere'), t('payments.refund_elsewhere_text'));
    });
  return (
    <>
      <Button danger loading={busy} onClick={() => void open()}>
        {t('order.refund')}
      </Button>
      {giving && (
        <Suspense>
          <RefundDialog {...giving} onChanged={onChanged} onClose={() => setGiving(undefined)} />
        </Suspense>
      )}
    </>
  );
}
