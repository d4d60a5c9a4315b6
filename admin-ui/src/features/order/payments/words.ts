import { useTranslation } from 'react-i18next';
import type { PaymentRefund } from '../../../generated/model';
import { type Amount, useFormat } from '../../../lib/format';
import { providerName } from '../../../lib/paymentProviders';
import { unsigned } from './amount';
import { useMethodNames } from './api';

const SURFACES = new Set(['admin', 'pos', 'lct', 'kiosk', 'api', 'job']);

/** Payments in words. */
export function usePaymentWords() {
  const { t } = useTranslation();
  const { money } = useFormat();
  const name = useMethodNames(true);
  return {
    /** By the method's key. */
    method: name,
    /** `Készpénz, 5 900 Ft`. */
    title: (key: string | null | undefined, amount: Amount): string =>
      [name(key), money(unsigned(amount))].filter(Boolean).join(', '),
    /** Who, also a provider, and from where. */
    by: (person: string | null | undefined, surface?: string | null): string =>
      [person && providerName(person), surface && SURFACES.has(surface) ? t(`order.surface_${surface}`) : '']
        .filter(Boolean)
        .join(' · '),
  };
}

const FAULTS = new Set(['bounced', 'never_arrived', 'provider_had_refunded', 'refused']);

/** Why a provider has not given back, in words or by its code. */
export function useRefundFault(): (refund: Pick<PaymentRefund, 'decline_code'>) => string {
  const { t } = useTranslation();
  return ({ decline_code: code }) => {
    if (!code) return '';
    return FAULTS.has(code) ? t(`order.refund_fault_${code}`) : t('order.refund_fault', { code });
  };
}
