import { Form, type FormRule } from 'antd';
import type { ReactNode } from 'react';
import { formatMoney, formatNumber, parseAmount, useFormat } from '../../../lib/format';
import { NumberInput } from '../../../lib/ui/NumberInput';
import { decimalsOf, hundredths, plain } from './exact';

interface Props {
  name: string;
  label: ReactNode;
  currency: string;
  /** Below the input. */
  help?: ReactNode;
  placeholder?: string;
  required?: boolean;
  /** The most that is taken, as a plain decimal. */
  max?: string;
  rules?: FormRule[];
}

/** An amount as people write it, kept as a plain decimal text. */
export function MoneyField(props: Props) {
  const { name, label, currency, help, placeholder, required = false, rules = [] } = props;
  // What one payment takes.
  const { max = '10000000' } = props;
  const { language } = useFormat();
  const decimals = decimalsOf(currency);
  const unit = formatMoney(language, 0, currency).replace(/[\d\s.,\u00a0]/g, '');
  const shown = (value: string | number) => formatNumber(language, value, decimals);
  return (
    <Form.Item
      name={name}
      label={label}
      extra={help}
      required={required}
      normalize={(value: unknown) => (value === null || value === undefined ? '' : String(value))}
      validateTrigger="onSubmit"
      rules={rules}
    >
      <NumberInput<string>
        className="edit-money"
        stringMode
        min="0"
        max={max}
        inputMode={decimals === 0 ? 'numeric' : 'decimal'}
        decimalSeparator={language === 'hu' ? ',' : '.'}
        suffix={unit}
        {...(placeholder ? { placeholder } : {})}
        formatter={(value, { userTyping, input }) =>
          userTyping ? input : value === undefined || value === '' ? '' : shown(value)
        }
        parser={(text) => whole(parseAmount(text ?? ''), decimals) as never}
      />
    </Form.Item>
  );
}

/** What the currency cannot express is cut off. */
function whole(amount: string | undefined, decimals: number): string {
  if (amount === undefined) return '';
  return decimals === 0 ? amount.split('.')[0]! : plain(hundredths(amount));
}
