import { keepPreviousData } from '@tanstack/react-query';
import { ordersChange } from '../../../generated/client/orders/orders';
import { couriersList } from '../../../generated/client/people/people';
import type { OrderEdit } from '../../../generated/model';
import { useCan } from '../../../lib/access';
import { useDebounced } from '../../../lib/hooks';
import { readKey, useRead } from '../../../lib/query';
import { here } from '../../../lib/target';
import { pinned } from '../api';
import type { Order } from '../model';

/** Changes an order. @throws ApiError ORDER_STATE_CHANGED, ORDER_NOT_ACCEPTABLE, PAYMENT_UNDER_WAY, PIN_INVALID. */
export const changeOrder = (id: string, body: OrderEdit, key: string, pin: string): Promise<Order> =>
  ordersChange(...here(), id, body, undefined, { 'Idempotency-Key': key, ...pinned(pin) });

/** A change is rehearsed when nobody has typed for so long. ms */
const PAUSE_MS = 400;

/** The order as it would be, running along with what is typed; nothing is asked while something is missing. */
export function useRehearsal(
  { id, version }: Pick<Order, 'id' | 'version'>,
  body: OrderEdit,
  wanted: boolean,
) {
  const text = wanted ? JSON.stringify(body) : '';
  const still = useDebounced(text, PAUSE_MS);
  const query = useRead<Order>(
    readKey('ordersChange', id, version, still),
    () => ordersChange(...here(), id, JSON.parse(still) as OrderEdit, { dry_run: true }),
    {
      enabled: still !== '' && text !== '',
      placeholderData: keepPreviousData,
      // What is typed is personal data.
      gcTime: 0,
      retry: false,
      refetchOnWindowFocus: false,
    },
  );
  const settled = text !== '' && text === still && !query.isFetching;
  return {
    order: text === '' || query.error ? undefined : query.data,
    error: settled ? (query.error ?? undefined) : undefined,
    /** What is shown is of something else than what is typed. */
    stale: text !== '' && !settled,
  };
}

/** The couriers who work, for who may see couriers; undefined for others. */
export function useActiveCouriers(wanted: boolean) {
  const can = useCan();
  const may = wanted && can('courier');
  const { data } = useRead('couriersList', ({ signal }) => couriersList(...here(), {}, { signal }), {
    enabled: may,
    staleTime: 60_000,
  });
  return may ? data?.filter(({ active }) => active) : undefined;
}
