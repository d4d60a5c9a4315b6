import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Payment } from '../../generated/model';
import { ActionDialog } from '../../lib/crud/ActionDrawer';
import { useInputForm } from '../../lib/form/useInputForm';
import { useTextRules } from '../../lib/form/useTextRules';
import { ApiError } from '../../lib/http';
import { ApproverPin, withPin } from '../order/ApproverPin';
import { Choices } from '../order/Choices';
import { confirmPayment } from '../order/payments/api';
import { Reason } from '../order/payments/OutcomeDialog';
import { usePaymentWords } from '../order/payments/words';
import { useStornoRight } from '../order/useStornoRight';

interface Props {
  payment: Payment;
  onChanged: () => void;
  onClose: () => void;
}

interface Values {
  paid?: 'yes' | 'no';
  authorisation_number?: string;
  reason?: string;
  pin?: string;
}

/** Says what became of a payment of which its provider cannot tell. */
export default function ConfirmDialog({ payment, onChanged, onClose }: Props) {
  const { t } = useTranslation();
  const { title } = usePaymentWords();
  const { needsPin } = useStornoRight();
  const { filled, max } = useTextRules();
  const say = async ({ paid, authorisation_number, reason, pin }: Values) => {
    const number = paid === 'yes' && { authorisation_number: authorisation_number?.trim() ?? null };
    const body = { paid: paid === 'yes', reason: reason?.trim() ?? null, ...number };
    try {
      return await confirmPayment(payment.id, body, pin);
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 409) onChanged();
      throw failure;
    }
  };
  const action = useInputForm<Values>({
    initial: { pin: '' },
    guard: false,
    // Saying it twice is refused, so a missing answer locks nothing.
    repeatable: true,
    send: (values) =>
      withPin(
        () => say(values),
        () => action.form.setFieldValue('pin', ''),
      ),
    onDone: () => {
      onChanged();
      onClose();
    },
  });
  const paid = Form.useWatch('paid', action.form);
  return (
    <ActionDialog
      action={action}
      title={t('payments.say_title', { what: title(payment.payment_key, payment.amount) })}
      verb={t('payments.say_do')}
      danger
      onClose={onClose}
    >
      <p className="edit-help">{t('payments.say_text')}</p>
      <Form.Item name="paid" rules={[{ required: true, message: t('payments.say_missing') }]}>
        <Choices
          legend={t('payments.say_what')}
          choices={[
            { value: 'yes', label: t('payments.say_paid') },
            { value: 'no', label: t('payments.say_unpaid') },
          ]}
        />
      </Form.Item>
      {paid === 'yes' && (
        <Form.Item
          name="authorisation_number"
          label={t('order.authorisation_number')}
          extra={t('payments.say_number_help')}
          rules={[filled, max(40)]}
          validateTrigger="onSubmit"
        >
          <Input autoComplete="off" maxLength={40} />
        </Form.Item>
      )}
      <Reason required />
      {needsPin && <ApproverPin />}
    </ActionDialog>
  );
}
