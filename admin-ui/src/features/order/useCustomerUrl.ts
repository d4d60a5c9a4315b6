import { useCan } from '../../lib/access';
import { usePageUrl } from '../../lib/navigation';
import type { OrderRow } from './model';

/** Address of an order's customer; undefined where it has none, or for who may not see customers. */
export function useCustomerUrl(): (order: Pick<OrderRow, 'customer_id'>) => string | undefined {
  const can = useCan();
  const url = usePageUrl();
  return ({ customer_id }) => (customer_id && can('customer') ? url('customers', customer_id) : undefined);
}
