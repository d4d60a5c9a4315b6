import { Form, type FormRule } from 'antd';
import type { ReactNode } from 'react';
import { formatMoney, formatNumber, parseAmount, useFormat } from '../../lib/format';
import { NumberInput } from '../../lib/ui/NumberInput';
import { decimalsOf, hundredths, plain } from '../order/payments/exact';

interface Props {
  name: string;
  label: ReactNode;
  currency: string;
  help?: ReactNode;
  placeholder?: string;
  required?: boolean;
  rules?: FormRule[];
}

/** Most that the service takes. */
const MOST = '1000000000';

/** An amount of a drawer, kept as a plain decimal text. What the currency cannot express is cut off. */
export function AmountField(props: Props) {
  const { name, label, currency, help, placeholder, required = false, rules = [] } = props;
  const { language } = useFormat();
  const decimals = decimalsOf(currency);
  const unit = formatMoney(language, 0, currency).replace(/[\d\s.,\u00a0]/g, '');
  const whole = (amount: string | undefined) =>
    amount === undefined ? '' : decimals === 0 ? amount.split('.')[0]! : plain(hundredths(amount));
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
        max={MOST}
        inputMode={decimals === 0 ? 'numeric' : 'decimal'}
        decimalSeparator={language === 'hu' ? ',' : '.'}
        suffix={unit}
        {...(placeholder ? { placeholder } : {})}
        formatter={(value, { userTyping, input }) =>
          userTyping
            ? input
            : value === undefined || value === ''
              ? ''
              : formatNumber(language, value, decimals)
        }
        parser={(text) => whole(parseAmount(text ?? '')) as never}
      />
    </Form.Item>
  );
}
