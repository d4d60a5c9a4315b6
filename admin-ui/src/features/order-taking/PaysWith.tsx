import { useTranslation } from 'react-i18next';
import { type Amount, formatMoney, formatNumber, parseAmount, useFormat } from '../../lib/format';
import { useLocked } from '../../lib/form/fieldState';
import { FieldRow } from '../../lib/form/FieldRow';
import { Button } from '../../lib/ui/Button';
import { NumberInput } from '../../lib/ui/NumberInput';
import { decimalsOf, hundredths, inCoins, plain } from '../order/payments/exact';
import { changeOf, notes } from '../order/payments/model';

interface Props {
  /** A plain decimal; empty: nobody said it. */
  value: string;
  onChange: (value: string) => void;
  /** What is to be paid, as far as it is known. */
  total: Amount | undefined;
  currency: string;
}

/** What the guest pays with in cash, round amounts with one tap, and the change that is brought along. */
export function PaysWith({ value, onChange, total, currency }: Props) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const locked = useLocked();
  const decimals = decimalsOf(currency);
  const money = (amount: Amount) => formatMoney(language, amount, currency);
  const toPay = total === undefined ? undefined : inCoins(hundredths(total), currency);
  const change = toPay === undefined ? undefined : changeOf(toPay, value, currency);
  const short = value !== '' && toPay !== undefined && change === undefined;
  return (
    <FieldRow
      path="pays_with"
      label={t('taking.pays_with')}
      help={
        <span role="status" className={short ? 'edit-fault' : ''}>
          {short
            ? t('taking.pays_too_little', { amount: money(plain(toPay)) })
            : change !== undefined && t('taking.pays_change', { amount: money(plain(change)) })}
        </span>
      }
    >
      {(control) => (
        <div className="phone-buttons">
          <NumberInput<string>
            {...control}
            className="taking-pays"
            stringMode
            min="0"
            max="1000000000"
            inputMode={decimals === 0 ? 'numeric' : 'decimal'}
            disabled={locked}
            decimalSeparator={language === 'hu' ? ',' : '.'}
            formatter={(amount, { userTyping, input }) =>
              userTyping ? input : amount ? formatNumber(language, amount, decimals) : ''
            }
            parser={(text) => (parseAmount(text ?? '') ?? '') as never}
            value={value}
            onChange={(amount) => onChange(amount ?? '')}
          />
          {toPay !== undefined &&
            toPay > 0n &&
            notes(toPay, currency).map((note) => (
              <Button
                key={note}
                size="small"
                className="num"
                disabled={locked}
                aria-pressed={value === note}
                onClick={() => onChange(value === note ? '' : note)}
              >
                {money(note)}
              </Button>
            ))}
        </div>
      )}
    </FieldRow>
  );
}
