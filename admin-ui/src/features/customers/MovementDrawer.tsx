import { Form, Input, Radio, Select } from 'antd';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShadowCustomerDetails } from '../../generated/model';
import { ActionDrawer } from '../../lib/crud/ActionDrawer';
import { useInputForm } from '../../lib/form/useInputForm';
import { parseAmount, useFormat } from '../../lib/format';
import { later } from '../../lib/later';
import { useNotify } from '../../lib/ui/notify';
import { NumberInput } from '../../lib/ui/NumberInput';
import { decimalsOf, truncate } from '../categories-and-products/shared/draft';
import { type Ledger, usePaymentChoices } from './api';
import { useLedgerCalls } from './calls';
import { type LedgerValues, paymentBody, pointsBody, thisMinute, timeFault, valueFault } from './ledger';

// The calendar is large: loaded with the first form that shows one.
const DateTimeInput = later(() => import('../../lib/fields/DateTimeInput'));

interface Props {
  row: ShadowCustomerDetails;
  ledger: Ledger;
  onClose: () => void;
}

/** A payment in cash, just now. */
const begin = (): LedgerValues => ({
  direction: 'in',
  value: '',
  payment_method: 'cash',
  transaction_at: thisMinute(Date.now()),
  comment: '',
});

/** A payment into a customer's balance or out of it; or points given or taken. */
export default function MovementDrawer({ row, ledger, onClose }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const calls = useLedgerCalls();
  const [initial] = useState(begin);
  const action = useInputForm<LedgerValues>({
    initial,
    send: (values, key) =>
      ledger === 'balance'
        ? calls.pay(row.id, paymentBody(values, initial.transaction_at), key)
        : calls.givePoints(row.id, pointsBody(values), key),
    onDone: () => {
      notify.saved();
      onClose();
    },
  });
  const money = ledger === 'balance';
  return (
    <ActionDrawer
      action={action}
      title={t(`customers.${ledger}_add`)}
      verb={t(`customers.${ledger}_do`)}
      onClose={onClose}
    >
      <Form.Item name="direction" label={t('customers.direction')}>
        <Radio.Group
          aria-label={t('customers.direction')}
          options={(['in', 'out'] as const).map((value) => ({
            value,
            label: t(`customers.${ledger}_${value}`),
          }))}
        />
      </Form.Item>
      <Value money={money} />
      {money && <PaymentFields />}
      <Comment required={!money} />
    </ActionDrawer>
  );
}

/** How much; what is pasted is read as people write it. */
function Value({ money }: { money: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const decimals = money ? decimalsOf(format.currency) : 0;
  const unit = money ? format.money(0).replace(/[\d\s.,\u00a0]/g, '') : undefined;
  return (
    <Form.Item
      name="value"
      label={t('customers.value')}
      required
      normalize={(value: unknown) => (value === null || value === undefined ? '' : String(value))}
      validateTrigger="onSubmit"
      rules={[
        {
          validator: async (_, value: string) => {
            const fault = valueFault(value);
            if (fault) throw new Error(t(fault));
          },
        },
      ]}
    >
      <NumberInput<string>
        className="edit-money"
        stringMode
        min="0"
        max="10000000"
        inputMode={decimals === 0 ? 'numeric' : 'decimal'}
        decimalSeparator={format.language === 'hu' ? ',' : '.'}
        {...(unit ? { suffix: unit } : {})}
        formatter={(shown, { userTyping, input }) =>
          userTyping ? input : shown === undefined || shown === '' ? '' : format.number(shown, decimals)
        }
        parser={(text) => {
          const plain = parseAmount(text ?? '');
          return (plain === undefined ? '' : truncate(plain, decimals)) as never;
        }}
      />
    </Form.Item>
  );
}

/** By what it was paid, and when. */
function PaymentFields() {
  const { t } = useTranslation();
  const methods = usePaymentChoices();
  return (
    <>
      <Form.Item name="payment_method" label={t('customers.payment_method')}>
        <Select options={methods} popupMatchSelectWidth={false} />
      </Form.Item>
      <Form.Item
        name="transaction_at"
        label={t('customers.transaction_at')}
        required
        validateTrigger="onSubmit"
        rules={[
          {
            validator: async (_, at: string | null) => {
              const fault = timeFault(at, Date.now());
              if (fault) throw new Error(t(fault));
            },
          },
        ]}
      >
        <TimeField />
      </Form.Item>
    </>
  );
}

/** The form's control around what is loaded later. */
function TimeField(control: { id?: string; value?: string | null; onChange?: (at: string | null) => void }) {
  return (
    <Suspense fallback={<Input id={control.id} disabled className="date-time-input" />}>
      <DateTimeInput {...control} />
    </Suspense>
  );
}

function Comment({ required }: { required: boolean }) {
  const { t } = useTranslation();
  return (
    <Form.Item
      name="comment"
      label={t('customers.movement_comment')}
      validateTrigger="onSubmit"
      rules={required ? [{ required: true, whitespace: true, message: t('form.required') }] : []}
    >
      <Input.TextArea maxLength={500} autoSize={{ minRows: 2, maxRows: 6 }} />
    </Form.Item>
  );
}
