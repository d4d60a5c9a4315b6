import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format';
import { plain } from './exact';
import { changeOf, type PayValues, type Quoted } from './model';

interface Props {
  quoted: Quoted;
  values: Partial<PayValues>;
  cash: boolean;
  currency: string;
}

/** What is to be paid now, and what the guest gets back, as the amounts are typed. */
export function PayPreview({ quoted, values, cash, currency }: Props) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const own = values.currency === undefined || values.currency === currency.toLowerCase();
  const change =
    cash && own && !quoted.about ? changeOf(quoted.toPay, values.handed_over, currency) : undefined;
  return (
    <dl className="pay-preview" aria-live="polite">
      <div>
        <dt>{t(quoted.about ? 'order.pay_now_about' : 'order.pay_now')}</dt>
        <dd className="num">{money(plain(quoted.toPay))}</dd>
      </div>
      {change !== undefined && (
        <div className="pay-change">
          <dt>{t('order.change')}</dt>
          <dd className="num">{money(plain(change))}</dd>
        </div>
      )}
    </dl>
  );
}
