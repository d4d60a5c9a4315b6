import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Payment } from '../../../generated/model';
import { useNotify } from '../../../lib/ui/notify';
import { Dialog } from '../../../lib/ui/Dialog';
import { QueryFallback } from '../../../lib/ui/states';
import type { Order } from '../model';
import { useOrderWords } from '../parts';
import { useMethods } from './api';
import { isCash, type PayValues } from './model';
import { PayForm } from './PayForm';
import { Receipt } from './Receipt';
import { usePaymentWords } from './words';
import './pay.css';

interface Props {
  order: Order;
  /** Money has moved, or somebody else was faster: the order is to be read again. */
  onChanged: () => void;
  onClose: () => void;
}

/** Takes money for an order, once or in several steps. Enter pays. */
export default function PayDialog({ order, onChanged, onClose }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const words = useOrderWords();
  const { title } = usePaymentWords();
  const methods = useMethods(true);
  const [step, setStep] = useState<{ at: number; begin: Partial<PayValues> }>({ at: 1, begin: {} });
  const [taken, setTaken] = useState<{ payment: Payment; values: PayValues }>();

  const done = (payment: Payment, values: PayValues) => {
    onChanged();
    if (isCash(payment.payment_key) || Number(payment.due) > 0) return setTaken({ payment, values });
    notify.success(t('order.pay_done', { what: title(payment.payment_key, payment.amount) }));
    onClose();
  };
  const next = () => {
    setStep({ at: step.at + 1, begin: taken ? nextValues(taken.values) : {} });
    setTaken(undefined);
  };
  return (
    <Dialog
      title={t('order.pay_title', { name: words.name(order) })}
      width={640}
      footer={null}
      mask={{ closable: false }}
      onCancel={onClose}
    >
      {!methods.data ? (
        <QueryFallback query={methods} rows={6} />
      ) : taken ? (
        <Receipt payment={taken.payment} order={order} onNext={next} onClose={onClose} />
      ) : (
        <PayForm
          key={step.at}
          order={order}
          methods={methods.data}
          begin={step.begin}
          onDone={done}
          onChanged={onChanged}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

/** After one of n parts there are n - 1; the guests of one table pay the same way. */
const nextValues = ({ how, parts = 1, payment_method_id }: PayValues): Partial<PayValues> =>
  how === 'parts' && parts > 2 ? { payment_method_id, how, parts: parts - 1 } : { payment_method_id };
