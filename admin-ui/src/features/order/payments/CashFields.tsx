import { Form, type FormInstance } from 'antd';
import { useTranslation } from 'react-i18next';
import { formatMoney, useFormat } from '../../../lib/format';
import { Button } from '../../../lib/ui/Button';
import { Choices } from '../Choices';
import { useEuroRate } from './api';
import { plain } from './exact';
import { changeOf, inEuros, notes, type PayValues, type Quoted } from './model';
import { MoneyField } from './MoneyField';

interface Props {
  form: FormInstance<PayValues>;
  values: Partial<PayValues>;
  quoted: Quoted;
  /** Of the order. */
  currency: string;
}

/** In which money the guest pays, and how much he gives; round amounts with one tap. */
export function CashFields({ form, values, quoted, currency }: Props) {
  const { t } = useTranslation();
  const huf = currency.toLowerCase() === 'huf';
  const euros = huf && values.currency === 'eur';
  const rate = useEuroRate(euros);
  const handed = euros ? 'eur' : currency;
  return (
    <>
      {huf && (
        <Form.Item name="currency">
          <Choices
            legend={t('order.pay_currency')}
            choices={[
              { value: 'huf', label: t('order.pay_huf') },
              { value: 'eur', label: t('order.pay_eur') },
            ]}
          />
        </Form.Item>
      )}
      <MoneyField
        name="handed_over"
        label={t('order.handed_over')}
        currency={handed}
        required={euros}
        {...(euros ? {} : { placeholder: t('order.handed_exact') })}
        help={<Notes form={form} quoted={quoted} handed={handed} euros={euros} rate={rate} />}
        rules={[
          {
            validator: async (_, value: string | undefined) => {
              if (euros && !Number(value)) throw new Error(t('form.required'));
              const enough = euros || quoted.about || changeOf(quoted.toPay, value, currency) !== undefined;
              if (Number(value) && !enough) throw new Error(t('order.handed_too_little'));
            },
          },
        ]}
      />
    </>
  );
}

interface NotesProps {
  form: FormInstance<PayValues>;
  quoted: Quoted;
  handed: string;
  euros: boolean;
  rate: number | undefined;
}

/** Exactly what is to be paid, and the next round amounts. */
function Notes({ form, quoted, handed, euros, rate }: NotesProps) {
  const { t } = useTranslation();
  const { language, money } = useFormat();
  const toPay = euros ? inEuros(quoted.toPay, rate ?? 0) : quoted.toPay;
  const give = (amount: string) => {
    form.setFieldValue('handed_over', amount);
    form.setFields([{ name: 'handed_over', errors: [] }]);
    // Enter pays then; on touch screens the keyboard would cover half of it.
    const field = form.getFieldInstance('handed_over') as { focus?: () => void } | undefined;
    if (!matchMedia('(pointer: coarse)').matches) field?.focus?.();
  };
  return (
    <>
      <span className="pay-notes" role="group" aria-label={t('order.handed_notes')}>
        {!euros && <Button onClick={() => give('')}>{t('order.handed_exact')}</Button>}
        {notes(toPay, handed).map((note) => (
          <Button key={note} className="num" onClick={() => give(note)}>
            {formatMoney(language, note, handed)}
          </Button>
        ))}
      </span>
      {euros && (
        <span className="pay-rate">
          {rate === undefined
            ? t('order.pay_rate_unknown')
            : t('order.pay_rate', { amount: formatMoney(language, plain(toPay), handed), rate: money(rate) })}
        </span>
      )}
    </>
  );
}
