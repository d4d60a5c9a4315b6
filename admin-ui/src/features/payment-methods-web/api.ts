import { useQueryClient } from '@tanstack/react-query';
import {
  paymentMethodsSave,
  paymentMethodsSettings,
  providerAccountsAddress,
  providerAccountsCheck,
  providerAccountsCreate,
  providerAccountsDelete,
  providerAccountsList,
  providerAccountsUpdate,
} from '../../generated/client/restaurants/restaurants';
import { readKey, useForget, useRead } from '../../lib/query';
import { here } from '../../lib/target';
import type {
  NewProviderAccount,
  PaymentMethodsChange,
  PaymentSettings,
  ProviderAccountChange,
} from '../../generated/model';

export type View = 'web' | 'pos';
export type Method = PaymentSettings['payment_methods'][number];

export const SETTINGS_KEY = readKey('paymentMethodsSettings');
const ACCOUNTS = readKey('providerAccountsList');

/**
 * The restaurant's payment methods, accounts at providers and rate; `save` sends a part and shows what the
 * service answers.
 */
export function usePaymentSettings() {
  const client = useQueryClient();
  const query = useRead(SETTINGS_KEY, ({ signal }) => paymentMethodsSettings(...here(), { signal }));
  const save = async (body: PaymentMethodsChange) => {
    const data = await paymentMethodsSave(...here(), body);
    client.setQueryData(SETTINGS_KEY, data);
    return data;
  };
  return { query, save };
}
export type Settings = ReturnType<typeof usePaymentSettings>;

/** The accounts at providers of online payment. What is changed may switch methods on and off: both are read again. */
export function useAccounts() {
  const forget = useForget();
  const query = useRead(ACCOUNTS, ({ signal }) => providerAccountsList(...here(), { signal }));
  const then = async <T>(answer: T): Promise<T> => {
    await forget([SETTINGS_KEY, ACCOUNTS]);
    return answer;
  };
  return {
    query,
    create: async (body: NewProviderAccount, key: string) =>
      then(await providerAccountsCreate(...here(), body, { 'Idempotency-Key': key })),
    update: async (id: string, body: ProviderAccountChange) =>
      then(await providerAccountsUpdate(...here(), id, body)),
    remove: async (id: string) => then(await providerAccountsDelete(...here(), id)),
    check: async (id: string) => then(await providerAccountsCheck(...here(), id)),
    newAddress: async (id: string) => then(await providerAccountsAddress(...here(), id)),
  };
}
export type Accounts = ReturnType<typeof useAccounts>;
