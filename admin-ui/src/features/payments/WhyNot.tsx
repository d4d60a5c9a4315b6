import { useTranslation } from 'react-i18next';
import type { Payment } from '../../generated/model';
import { providerName } from '../../lib/paymentProviders';
import { whyOf } from './model';

/** Why no money came: in a sentence for the guest, and in one for the bookkeeper. */
export function WhyNot({ payment }: { payment: Payment }) {
  const { t } = useTranslation();
  const why = whyOf(payment);
  const { decline_code: code, decline_text: text } = payment;
  if (!why)
    return text && payment.state !== 'captured' && payment.kind !== 'online' ? (
      <dl className="payments-why">
        <div>
          <dt>{t('payments.why_said')}</dt>
          <dd>{text}</dd>
        </div>
      </dl>
    ) : null;
  const provider = providerName(payment.provider ?? '');
  return (
    <dl className="payments-why">
      <div>
        <dt>{t('payments.why_guest')}</dt>
        <dd>{t(`payments.guest.${why.guest}`)}</dd>
      </div>
      <div>
        <dt>{t('payments.why_books')}</dt>
        <dd>{t(`payments.books.${why.books}`, { provider, code })}</dd>
      </div>
    </dl>
  );
}
