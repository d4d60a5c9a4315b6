import { useLocked } from '../../lib/form/fieldState';
import type { Control } from '../../lib/form/FieldRow';
import { parseAmount, useFormat } from '../../lib/format';
import { NumberInput } from '../../lib/ui/NumberInput';
import { truncate } from '../categories-and-products/shared/draft';

/** A percentage with at most two decimals, read as people write it. */
export function PercentInput({
  control,
  value,
  onChange,
}: {
  control: Control;
  value: string;
  onChange: (value: string) => void;
}) {
  const { language, number } = useFormat();
  const locked = useLocked();
  return (
    <NumberInput<string>
      {...control}
      className="discount-number"
      stringMode
      min="0"
      max="100"
      inputMode="decimal"
      decimalSeparator={language === 'hu' ? ',' : '.'}
      disabled={locked}
      suffix="%"
      value={value === '' ? null : value}
      formatter={(shown, { userTyping, input }) =>
        userTyping ? input : shown === undefined || shown === '' ? '' : number(shown, 2)
      }
      parser={(text) => {
        const plain = parseAmount(text ?? '');
        return plain === undefined ? '' : truncate(plain, 2);
      }}
      onChange={(next) => onChange(next === null || next === undefined ? '' : String(next))}
    />
  );
}
