import { Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PayableTransaction } from '../../../generated/model';
import { ActionDialog } from '../../../lib/crud/ActionDrawer';
import { useInputForm } from '../../../lib/form/useInputForm';
import { useFormat } from '../../../lib/format';
import { ApiError } from '../../../lib/http';
import { useNotify } from '../../../lib/ui/notify';
import { ApproverPin, withPin } from '../ApproverPin';
import { Choices } from '../Choices';
import type { Order } from '../model';
import { useStornoRight } from '../useStornoRight';
import { refund } from './api';
import { hundredths, plain } from './exact';
import { isOwnMoney, leftToRefund, refundBody, type RefundValues } from './model';
import { MoneyField } from './MoneyField';
import { Reason } from './OutcomeDialog';
import { usePaymentWords } from './words';

interface Props {
  order: Order;
  /** The payment. */
  row: PayableTransaction;
  onChanged: () => void;
  onClose: () => void;
}

/** What is left of the payment, and giving it back. */
function useRefund({ order, row, onChanged, onClose }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  // As it was when the dialog was opened: what somebody else gives back meanwhile is refused by the service.
  const [{ left, leftTip }] = useState(() => leftToRefund(order, row));
  const send = async (values: RefundValues, key: string) => {
    try {
      return await refund(row.attempt_id ?? '', refundBody(values), key, values.pin);
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.code !== 'REFUND_ABOVE_PAID') throw failure;
      onChanged();
      throw new ApiError({ ...failure.problem, keys: ['amount'] });
    }
  };
  const action = useInputForm<RefundValues>({
    initial: { amount: plain(left), tip: '', reason: '', done: 'yes', pin: '' },
    guard: false,
    send: (values, key) =>
      withPin(
        () => send(values, key),
        () => action.form.setFieldValue('pin', ''),
      ),
    onDone: () => {
      notify.success(t('order.refund_saved'));
      onChanged();
      onClose();
    },
  });
  return { action, left, leftTip };
}

/** Gives money of one payment back, or asks that somebody does. */
export default function RefundDialog(props: Props) {
  const { order, row, onClose } = props;
  const { t } = useTranslation();
  const { title } = usePaymentWords();
  const { needsPin } = useStornoRight();
  const { action, left, leftTip } = useRefund(props);
  const { currency } = order;
  return (
    <ActionDialog
      action={action}
      title={t('order.refund_title', { what: title(row.payment_key, row.value) })}
      verb={t('order.refund')}
      danger
      onClose={onClose}
    >
      <Amounts currency={currency} left={left} leftTip={leftTip} />
      <Reason required={false} />
      {row.provider_ref && <p className="edit-help">{t('order.refund_by_provider')}</p>}
      {!isOwnMoney(row.payment_key) && !row.assumed && !row.provider_ref && (
        <Form.Item name="done">
          <Choices
            legend={t('order.refund_when')}
            choices={[
              { value: 'yes', label: t('order.refund_when_yes') },
              { value: 'no', label: t('order.refund_when_no') },
            ]}
          />
        </Form.Item>
      )}
      {needsPin && <ApproverPin />}
    </ActionDialog>
  );
}

/** How much of it, and of the tip, which goes back only when it is named. */
function Amounts({ currency, left, leftTip }: { currency: string; left: bigint; leftTip: bigint }) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const atMost = (most: bigint, value: string) => {
    if (hundredths(value) > most) throw new Error(t('errors.REFUND_ABOVE_PAID'));
  };
  return (
    <>
      <MoneyField
        name="amount"
        label={t('order.refund_amount')}
        currency={currency}
        help={t('order.refund_left', { left: money(plain(left)) })}
        rules={[
          ({ getFieldValue }) => ({
            validator: async (_, value: string) => {
              const both = hundredths(value) + hundredths(getFieldValue('tip') as string);
              if (both <= 0n) throw new Error(t('order.refund_nothing'));
              atMost(left, value);
            },
          }),
        ]}
      />
      {leftTip > 0n && (
        <MoneyField
          name="tip"
          label={t('order.refund_tip')}
          currency={currency}
          help={t('order.refund_left', { left: money(plain(leftTip)) })}
          rules={[{ validator: async (_, value: string) => atMost(leftTip, value) }]}
        />
      )}
    </>
  );
}
