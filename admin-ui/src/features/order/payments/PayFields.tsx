import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format';
import { useTextRules } from '../../../lib/form/useTextRules';
import { NumberInput } from '../../../lib/ui/NumberInput';
import { Choices } from '../Choices';
import type { Order } from '../model';
import { PiecesInput } from '../PiecesInput';
import type { Method } from './api';
import { MoneyField } from './MoneyField';
import { HOWS, type How, ISSUERS, itemsOf, type Pieces } from './model';

/** The most parts that the service takes. */
const MOST_PARTS = 100;

export function MethodField({ methods }: { methods: readonly Method[] }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  return (
    <Form.Item name="payment_method_id" rules={[{ required: true, message: t('order.pay_no_method') }]}>
      <Choices
        legend={t('order.pay_method')}
        choices={methods.map(({ id, name, name_en }) => ({
          value: id,
          label: language === 'en' ? name_en : name,
        }))}
      />
    </Form.Item>
  );
}

/** How much of the order: all of the rest, an amount, an even part, or pieces of lines. */
export function AmountFields({ order, how, currency }: { order: Order; how: How; currency: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Form.Item name="how">
        <Choices
          legend={t('order.pay_how')}
          choices={HOWS.map((value) => ({ value, label: t(`order.pay_how_${value}`) }))}
        />
      </Form.Item>
      {how === 'amount' && (
        <MoneyField
          name="amount"
          label={t('order.pay_amount')}
          currency={currency}
          required
          rules={[
            {
              validator: async (_, value: string) => {
                if (!value || Number(value) <= 0) throw new Error(t('order.pay_amount_missing'));
              },
            },
          ]}
        />
      )}
      {how === 'parts' && (
        <Form.Item
          name="parts"
          label={t('order.pay_parts')}
          extra={t('order.pay_parts_help')}
          rules={[{ required: true, message: t('form.required') }]}
        >
          <NumberInput<number> className="edit-money" min={1} max={MOST_PARTS} precision={0} />
        </Form.Item>
      )}
      {how === 'items' && <ItemsField order={order} />}
    </>
  );
}

function ItemsField({ order }: { order: Order }) {
  const { t } = useTranslation();
  return (
    <Form.Item
      name="items"
      extra={order.payable_transactions.length > 0 ? t('order.pay_items_help') : undefined}
      rules={[
        {
          validator: async (_, pieces: Pieces | undefined) => {
            if (itemsOf(pieces ?? {}).length === 0) throw new Error(t('order.pieces_missing'));
          },
        },
      ]}
      validateTrigger="onSubmit"
    >
      <PiecesInput items={order.items} label={t('order.pay_items')} />
    </Form.Item>
  );
}

/** Whether the terminal is done; a SZÉP card that was paid has an issuer and a number. */
export function CardFields({ szep, confirmed }: { szep: boolean; confirmed: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      <Form.Item name="confirmed">
        <Choices
          legend={t('order.pay_terminal')}
          choices={[
            { value: 'yes', label: t('order.pay_terminal_yes') },
            { value: 'no', label: t('order.pay_terminal_no') },
          ]}
        />
      </Form.Item>
      {szep && confirmed && <SzepFields />}
    </>
  );
}

/** Who issued the card, and the number on the terminal's slip. */
export function SzepFields() {
  const { t } = useTranslation();
  const { filled, max } = useTextRules();
  return (
    <>
      <Form.Item name="issuer" rules={[{ required: true, message: t('order.issuer_missing') }]}>
        <Choices
          legend={t('order.issuer')}
          choices={ISSUERS.map((value) => ({ value, label: t(`order.issuer_${value}`) }))}
        />
      </Form.Item>
      <Form.Item
        name="authorisation_number"
        label={t('order.authorisation_number')}
        rules={[filled, max(40)]}
        validateTrigger="onSubmit"
      >
        <Input autoComplete="off" maxLength={40} />
      </Form.Item>
    </>
  );
}

/** What is given beside the price, and a remark of staff. */
export function RestFields({ tip, currency }: { tip: boolean; currency: string }) {
  const { t } = useTranslation();
  return (
    <div className="field-pair">
      {tip && <MoneyField name="tip" label={t('order.pay_tip')} currency={currency} />}
      <Form.Item name="payment_info" label={t('order.pay_info')}>
        <Input autoComplete="off" maxLength={200} />
      </Form.Item>
    </div>
  );
}
