import { keepPreviousData } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  shadowCustomerBalanceList,
  shadowCustomerBalancesList,
  shadowCustomerBalanceSum,
  shadowCustomerOrdersList,
  shadowCustomerPointsList,
  shadowCustomerPointsSum,
  shadowCustomersGet,
  shadowCustomersList,
} from '../../generated/client/people/people';
import { paymentMethodsList } from '../../generated/client/restaurants/restaurants';
import type { ShadowCustomersListParams } from '../../generated/model';
import { PAGE_SIZE } from '../../lib/crud/listProps';
import type { ListState } from '../../lib/crud/useListState';
import { useFormat } from '../../lib/format';
import { counted } from '../../lib/http';
import { readKey, type Key, useRead } from '../../lib/query';
import { here } from '../../lib/target';
import { useArea, usePinned } from './area';
import { filtersOf, queryOf } from './filters';
import { LEDGER_PAGE } from './ledger';

/** All that is read of customers. */
export const CUSTOMERS = [
  'shadow_customers',
  'shadow_customer_balances',
  'shadow_customer_balance',
  'shadow_customer_orders',
  'shadow_customer_points',
] as const;
export type Ledger = 'balance' | 'points';

/** Found when a customer is searched for. */
const HITS = 20;

/** Customers are personal data: nothing of them outlives what shows it. */
const FLEETING = { gcTime: 0 };

/** The customers of a page of the list. */
export function useCustomerPage(state: ListState) {
  const pinned = usePinned();
  const { held } = useArea();
  const query = queryOf(state) as ShadowCustomersListParams;
  return useRead(
    readKey('shadowCustomersList', query),
    ({ signal }) =>
      pinned((pin) => counted((options) => shadowCustomersList(...here(), query, pin, options), { signal })),
    {
      ...FLEETING,
      placeholderData: keepPreviousData,
      enabled: held.pin !== undefined,
    },
  );
}

/** Customers by words of their name, e-mail or phone. */
export function useCustomerSearch(name: string) {
  const pinned = usePinned();
  const { held } = useArea();
  return useRead(
    readKey('shadowCustomersList', 'search', name),
    () => pinned((pin) => shadowCustomersList(...here(), { limit: HITS, ...(name ? { name } : {}) }, pin)),
    {
      ...FLEETING,
      placeholderData: keepPreviousData,
      enabled: held.pin !== undefined,
    },
  );
}

/** Those whose balance has moved. */
export function useBalancePage(state: ListState) {
  const pinned = usePinned();
  const { held } = useArea();
  const { balance } = filtersOf(state.filters);
  const query = {
    limit: PAGE_SIZE,
    page: state.page - 1,
    count: true,
    ...(state.search ? { name: state.search } : {}),
    ...(balance ? { balance: balance as 'negative' } : {}),
  };
  return useRead(
    readKey('shadowCustomerBalancesList', query),
    ({ signal }) =>
      pinned((pin) =>
        counted((options) => shadowCustomerBalancesList(...here(), query, pin, options), { signal }),
      ),
    {
      ...FLEETING,
      placeholderData: keepPreviousData,
      enabled: held.pin !== undefined,
    },
  );
}

/**
 * One customer; undefined id: none. Each reading is a line of the audit log, so it is read when it is opened, and
 * not again when the window gets the focus.
 */
export function useCustomer(id: string | undefined) {
  const pinned = usePinned();
  const { held } = useArea();
  return useRead(
    readKey('shadowCustomersGet', id),
    () => pinned((pin) => shadowCustomersGet(...here(), id!, {}, pin)),
    {
      ...FLEETING,
      enabled: id !== undefined && held.pin !== undefined,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
  );
}

/** A page of a customer's orders. */
export function useCustomerOrders(id: string, page: number, wanted: boolean) {
  const pinned = usePinned();
  const { held } = useArea();
  return useRead(
    readKey('shadowCustomerOrdersList', id, page),
    ({ signal }) =>
      pinned((pin) =>
        counted(
          (options) =>
            shadowCustomerOrdersList(...here(), id, { limit: LEDGER_PAGE, page, count: true }, pin, options),
          { signal },
        ),
      ),
    {
      ...FLEETING,
      placeholderData: keepPreviousData,
      enabled: wanted && held.pin !== undefined,
    },
  );
}

/** Days, of which none is no bound. */
export interface Days {
  from: string | null;
  till: string | null;
}
const bounds = ({ from, till }: Days) => ({ ...(from ? { from } : {}), ...(till ? { till } : {}) });

/** Rows of a ledger, and their sums; both are read once the card is seen. */
function useLedger<T>(queryKey: Key, wanted: boolean, read: () => Promise<T>) {
  const { held } = useArea();
  return useRead(queryKey, read, {
    ...FLEETING,
    placeholderData: keepPreviousData,
    enabled: wanted && held.pin !== undefined,
  });
}

export function useBalanceRows(id: string, days: Days, page: number, wanted: boolean) {
  const pinned = usePinned();
  const query = { ...bounds(days), limit: LEDGER_PAGE, page, count: true };
  return useLedger(readKey('shadowCustomerBalanceList', id, query), wanted, () =>
    pinned((pin) => counted((options) => shadowCustomerBalanceList(...here(), id, query, pin, options))),
  );
}
export function useBalanceSum(id: string, days: Days, wanted: boolean) {
  const pinned = usePinned();
  return useLedger(readKey('shadowCustomerBalanceSum', id, days), wanted, () =>
    pinned((pin) => shadowCustomerBalanceSum(...here(), id, bounds(days), pin)),
  );
}
export function usePointRows(id: string, days: Days, page: number, wanted: boolean) {
  const pinned = usePinned();
  const query = { ...bounds(days), limit: LEDGER_PAGE, page, count: true };
  return useLedger(readKey('shadowCustomerPointsList', id, query), wanted, () =>
    pinned((pin) => counted((options) => shadowCustomerPointsList(...here(), id, query, pin, options))),
  );
}
export function usePointSum(id: string, days: Days, wanted: boolean) {
  const pinned = usePinned();
  return useLedger(readKey('shadowCustomerPointsSum', id, days), wanted, () =>
    pinned((pin) => shadowCustomerPointsSum(...here(), id, bounds(days), pin)),
  );
}

/** With these nobody pays into a balance. */
const NO_METHODS = ['balance', 'split', 'points'];

const usePaymentMethods = () =>
  useRead('paymentMethodsList', () => paymentMethodsList(...here()), { staleTime: 600_000 }).data;

/** How a payment method is called, by its key. */
export function usePaymentNames(): (key: string) => string {
  const { language } = useFormat();
  const all = usePaymentMethods();
  return (key) => {
    const method = all?.find(({ payment_key }) => payment_key === key);
    return (language === 'en' ? method?.name_en : method?.name) ?? key;
  };
}

/** The methods with which somebody pays in or out by hand: of the till, none that a provider's page takes. */
export function usePaymentChoices() {
  const { t } = useTranslation();
  const { language } = useFormat();
  const all = usePaymentMethods();
  const taken = (all ?? []).filter(
    (method) => !method.paid_online && !NO_METHODS.includes(method.payment_key),
  );
  return taken.length === 0
    ? [{ value: 'cash', label: t('customers.cash') }]
    : taken.map((method) => ({
        value: method.payment_key,
        label: language === 'en' ? method.name_en : method.name,
      }));
}
