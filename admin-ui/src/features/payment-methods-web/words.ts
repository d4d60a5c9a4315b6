import type { TFunction } from 'i18next';
import type { ProviderAccount } from '../../generated/model';
import { PROVIDER_NAMES } from '../../lib/paymentProviders';

export type Provider = ProviderAccount['provider'];

export const NAMES: Record<Provider, string> = PROVIDER_NAMES;

/** `SimplePay · SZÉP card · HUF · live` */
export const accountName = (
  t: TFunction,
  {
    provider,
    purpose,
    currency,
    environment,
  }: Pick<ProviderAccount, 'provider' | 'purpose' | 'currency' | 'environment'>,
): string =>
  [
    NAMES[provider],
    t(`payment_methods.purpose.${purpose}`),
    currency.toUpperCase(),
    t(`payment_methods.environment.${environment}`),
  ].join(' · ');
