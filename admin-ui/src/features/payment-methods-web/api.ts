import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { PaymentMethodsChange, PaymentSettings } from '../../generated/model';
import { request } from '../../lib/http';
import { fillPath } from '../../lib/target';

export type View = 'web' | 'pos';
export type Method = PaymentSettings['payment_methods'][number];

const KEY = ['payment_methods', 'settings'];

/**
 * The restaurant's payment methods, accounts at providers and rate; `save` sends a part and shows what the
 * service answers.
 */
export function usePaymentSettings() {
  const client = useQueryClient();
  const path = fillPath('/admin/partners/{partner_id}/restaurants/{restaurant_id}/payment-methods');
  const query = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await request<PaymentSettings>(`${path}/settings`, { signal })).data,
  });
  const save = async (body: PaymentMethodsChange) => {
    const { data } = await request<PaymentSettings>(path, { method: 'PUT', body });
    client.setQueryData(KEY, data);
    return data;
  };
  return { query, save };
}
export type Settings = ReturnType<typeof usePaymentSettings>;
