import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PayableTransaction } from '../../../generated/model';
import { useCan } from '../../../lib/access';
import { later } from '../../../lib/later';
import { Button } from '../../../lib/ui/Button';
import type { Order } from '../model';
import { useStornoRight } from '../useStornoRight';
import { confirmPayment } from './api';
import { canRefund, hasMoved, isChild } from './model';
import { useAsked } from './useAsked';
import { usePaymentWords } from './words';

const OutcomeDialog = later(() => import('./OutcomeDialog'));
const RefundDialog = later(() => import('./RefundDialog'));

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
