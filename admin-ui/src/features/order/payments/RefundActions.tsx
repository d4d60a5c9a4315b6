import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PaymentRefund } from '../../../generated/model';
import { useCan } from '../../../lib/access';
import { later } from '../../../lib/later';
import { Button } from '../../../lib/ui/Button';
import { useStornoRight } from '../useStornoRight';
import { confirmRefund } from './api';
import { isAsked, waitsForApproval } from './model';
import { useAsked } from './useAsked';
import { usePaymentWords } from './words';

const OutcomeDialog = later(() => import('./OutcomeDialog'));

interface Props {
  refund: PaymentRefund;
  onChanged: () => void;
}

/** What may be done with money that is to go back; each only with its right. */
export function RefundActions(props: Props) {
  const { refund } = props;
  const can = useCan();
  if (waitsForApproval(refund)) return <Approval {...props} />;
  // A provider gives back by itself: no person says that it has.
  if (refund.provider || !isAsked(refund) || !can('order_accept')) return null;
  return <ByHand {...props} />;
}

/** It goes back by its provider once it is let go. */
function Approval({ refund, onChanged }: Props) {
  const { t } = useTranslation();
  const can = useCan();
  const { may } = useStornoRight();
  const { title } = usePaymentWords();
  const [doing, setDoing] = useState<'let_go' | 'dropped'>();
  const what = title(refund.payment_key, refund.amount);
  const button = (kind: 'let_go' | 'dropped', main: boolean) => {
    const verb = t(`order.outcome_${kind}_do`);
    return (
      <Button
        size="small"
        {...(main ? { type: 'primary' as const } : {})}
        aria-label={t('order.of', { verb, what })}
        onClick={() => setDoing(kind)}
      >
        {verb}
      </Button>
    );
  };
  const drops = can('order_accept');
  if (!may && !drops) return null;
  return (
    <div className="payment-actions">
      {may && button('let_go', true)}
      {drops && button('dropped', false)}
      {doing && (
        <Suspense>
          <OutcomeDialog
            kind={doing}
            id={refund.id}
            what={what}
            onChanged={onChanged}
            onClose={() => setDoing(undefined)}
          />
        </Suspense>
      )}
    </div>
  );
}

/** It goes back by hand: given back, or why not. */
function ByHand({ refund, onChanged }: Props) {
  const { t } = useTranslation();
  const { title } = usePaymentWords();
  const { busy, ask } = useAsked(onChanged);
  const [failing, setFailing] = useState(false);
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
