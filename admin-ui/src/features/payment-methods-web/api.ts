import { useQueryClient } from '@tanstack/react-query';
import { paymentMethodsSave, paymentMethodsSettings } from '../../generated/client/restaurants/restaurants';
import { readKey, useRead } from '../../lib/query';
import { here } from '../../lib/target';
import type { PaymentMethodsChange, PaymentSettings } from '../../generated/model';

export type View = 'web' | 'pos';
export type Method = PaymentSettings['payment_methods'][number];

const KEY = readKey('paymentMethodsSettings');

/**
 * The restaurant's payment methods, accounts at providers and rate; `save` sends a part and shows what the
 * service answers.
 */
export function usePaymentSettings() {
  const client = useQueryClient();
  const query = useRead(KEY, ({ signal }) => paymentMethodsSettings(...here(), { signal }));
  const save = async (body: PaymentMethodsChange) => {
    const data = await paymentMethodsSave(...here(), body);
    client.setQueryData(KEY, data);
    return data;
  };
  return { query, save };
}
export type Settings = ReturnType<typeof usePaymentSettings>;
