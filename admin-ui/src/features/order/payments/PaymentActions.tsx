import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PayableTransaction, PaymentRefund } from '../../../generated/model';
import { useCan } from '../../../lib/access';
import { ApiError } from '../../../lib/http';
import { later } from '../../../lib/later';
import { Button } from '../../../lib/ui/Button';
import { useNotify } from '../../../lib/ui/notify';
import { useWork } from '../../../lib/ui/work';
import type { Order } from '../model';
import { useStornoRight } from '../useStornoRight';
import { confirmPayment, confirmRefund } from './api';
import { canRefund, hasMoved, isAsked, isChild } from './model';
import { usePaymentWords } from './words';

const OutcomeDialog = later(() => import('./OutcomeDialog'));
const RefundDialog = later(() => import('./RefundDialog'));

/** After a question: a call whose outcome others may have said already, so that all is read again. */
function useAsked(onChanged: () => void) {
  const notify = useNotify();
  const { busy, work } = useWork();
  const ask = async (
    question: { title: string; effect?: string; verb: string },
    call: () => Promise<unknown>,
  ) => {
    if (!(await notify.confirm({ ...question, danger: false }))) return;
    await work(async () => {
      try {
        await call();
      } catch (failure) {
        if (failure instanceof ApiError && failure.status < 500) onChanged();
        throw failure;
      }
      onChanged();
    });
  };
  return { busy, ask };
}

/** What may be done with a payment: say what became of it, or give it back. */
export function PaymentActions({
  order,
  row,
  onChanged,
}: {
  order: Order;
  row: PayableTransaction;
  onChanged: () => void;
}) {
  const can = useCan();
  const { may } = useStornoRight();
  const [giving, setGiving] = useState(false);
  const { t } = useTranslation();
  const { title } = usePaymentWords();
  if (isChild(order) || !row.attempt_id) return null;
  if (!hasMoved(row))
    // What is paid at a provider only the provider knows.
    return row.status === 'pending' && !row.provider_ref && can('order_accept') ? (
      <Waiting id={row.attempt_id} row={row} onChanged={onChanged} />
    ) : null;
  if (!may || !canRefund(order, row)) return null;
  return (
    <div className="payment-actions">
      <Button
        size="small"
        aria-label={t('order.of', { verb: t('order.refund'), what: title(row.payment_key, row.value) })}
        onClick={() => setGiving(true)}
      >
        {t('order.refund')}
      </Button>
      {giving && (
        <Suspense>
          <RefundDialog order={order} row={row} onChanged={onChanged} onClose={() => setGiving(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** A card at the terminal: paid, not paid, given up. */
function Waiting({ id, row, onChanged }: { id: string; row: PayableTransaction; onChanged: () => void }) {
  const { t } = useTranslation();
  const { title } = usePaymentWords();
  const { busy, ask } = useAsked(onChanged);
  const [outcome, setOutcome] = useState<'szep' | 'failed' | 'cancelled'>();
  const what = title(row.payment_key, row.value);
  const lacks = row.payment_key === 'szep_kartya' && !(row.issuer && row.authorisation_number);
  const paid = () =>
    lacks
      ? setOutcome('szep')
      : void ask({ title: t('order.payment_paid_question', { what }), verb: t('order.payment_paid') }, () =>
          confirmPayment(id, { paid: true }),
        );
  const button = (verb: string, run: () => void, main = false) => (
    <Button
      size="small"
      {...(main ? { type: 'primary' as const } : {})}
      disabled={busy}
      aria-label={t('order.of', { verb, what })}
      onClick={run}
    >
      {verb}
    </Button>
  );
  return (
    <div className="payment-actions">
      {button(t('order.payment_paid'), paid, true)}
      {button(t('order.payment_failed'), () => setOutcome('failed'))}
      {button(t('order.payment_cancel'), () => setOutcome('cancelled'))}
      {outcome && (
        <Suspense>
          <OutcomeDialog
            kind={outcome}
            id={id}
            what={what}
            onChanged={onChanged}
            onClose={() => setOutcome(undefined)}
          />
        </Suspense>
      )}
    </div>
  );
}

/** Money that is to go back: given back, or why not. */
export function RefundActions({ refund, onChanged }: { refund: PaymentRefund; onChanged: () => void }) {
  const { t } = useTranslation();
  const can = useCan();
  const { title } = usePaymentWords();
  const { busy, ask } = useAsked(onChanged);
  const [failing, setFailing] = useState(false);
  if (!isAsked(refund) || !can('order_accept')) return null;
  const what = title(refund.payment_key, refund.amount);
  const done = () =>
    void ask({ title: t('order.refund_done_question', { what }), verb: t('order.refund_done') }, () =>
      confirmRefund(refund.id, true, undefined),
    );
  return (
    <div className="payment-actions">
      <Button
        size="small"
        type="primary"
        disabled={busy}
        aria-label={t('order.of', { verb: t('order.refund_done'), what })}
        onClick={done}
      >
        {t('order.refund_done')}
      </Button>
      <Button
        size="small"
        disabled={busy}
        aria-label={t('order.of', { verb: t('order.refund_not_done'), what })}
        onClick={() => setFailing(true)}
      >
        {t('order.refund_not_done')}
      </Button>
      {failing && (
        <Suspense>
          <OutcomeDialog
            kind="not_given"
            id={refund.id}
            what={what}
            onChanged={onChanged}
            onClose={() => setFailing(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
