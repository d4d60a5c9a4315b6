import { useTranslation } from 'react-i18next';
import { type Amount, useFormat } from '../../../lib/format';
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
    /** Who, and from where. */
    by: (person: string | null | undefined, surface?: string | null): string =>
      [person, surface && SURFACES.has(surface) ? t(`order.surface_${surface}`) : '']
        .filter(Boolean)
        .join(' · '),
  };
}
