import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  getShadowCustomersExportUrl,
  shadowCustomerAddressesCreate,
  shadowCustomerAddressesDelete,
  shadowCustomerAddressesUpdate,
  shadowCustomerBalanceCreate,
  shadowCustomerBalanceList,
  shadowCustomerBalancesList,
  shadowCustomerBalanceSum,
  shadowCustomerOrdersList,
  shadowCustomerPointsCreate,
  shadowCustomerPointsList,
  shadowCustomerPointsSum,
  shadowCustomersCreate,
  shadowCustomersDelete,
  shadowCustomersGet,
  shadowCustomersList,
  shadowCustomersMerge,
  shadowCustomersUnmerge,
  shadowCustomersUpdate,
} from '../../generated/client/people/people';
import { paymentMethodsList } from '../../generated/client/restaurants/restaurants';
import type {
  NewBalanceTransaction,
  NewPointTransaction,
  NewShadowCustomer,
  NewShadowCustomerAddress,
  ShadowCustomerAddress,
  ShadowCustomerAddressChange,
  ShadowCustomerChange,
  ShadowCustomerDetails,
  ShadowCustomersListParams,
} from '../../generated/model';
import { PAGE_SIZE } from '../../lib/crud/listProps';
import type { ListState } from '../../lib/crud/useListState';
import type { Body } from '../../lib/form/body';
import { useFormat } from '../../lib/format';
import { counted, requestFile } from '../../lib/http';
import { newKey } from '../../lib/idempotency';
import { here } from '../../lib/target';
import { useArea, usePinned } from './area';
import { filtersOf, queryOf } from './filters';
import { LEDGER_PAGE } from './ledger';
import { addressBody, addressValues } from './shared/address';

export const KEY = 'customers';
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
  return useQuery({
    ...FLEETING,
    queryKey: [KEY, 'list', query],
    queryFn: ({ signal }) =>
      pinned((pin) => counted((options) => shadowCustomersList(...here(), query, pin, options), { signal })),
    placeholderData: keepPreviousData,
    enabled: held.pin !== undefined,
  });
}

/** Customers by words of their name, e-mail or phone. */
export function useCustomerSearch(name: string) {
  const pinned = usePinned();
  const { held } = useArea();
  return useQuery({
    ...FLEETING,
    queryKey: [KEY, 'search', name],
    queryFn: () =>
      pinned((pin) => shadowCustomersList(...here(), { limit: HITS, ...(name ? { name } : {}) }, pin)),
    placeholderData: keepPreviousData,
    enabled: held.pin !== undefined,
  });
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
  return useQuery({
    ...FLEETING,
    queryKey: [KEY, 'balances', query],
    queryFn: ({ signal }) =>
      pinned((pin) =>
        counted((options) => shadowCustomerBalancesList(...here(), query, pin, options), { signal }),
      ),
    placeholderData: keepPreviousData,
    enabled: held.pin !== undefined,
  });
}

/**
 * One customer; undefined id: none. Each reading is a line of the audit log, so it is read when it is opened, and
 * not again when the window gets the focus.
 */
export function useCustomer(id: string | undefined) {
  const pinned = usePinned();
  const { held } = useArea();
  return useQuery({
    ...FLEETING,
    queryKey: [KEY, 'one', id],
    queryFn: () => pinned((pin) => shadowCustomersGet(...here(), id!, {}, pin)),
    enabled: id !== undefined && held.pin !== undefined,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** A page of a customer's orders. */
export function useCustomerOrders(id: string, page: number, wanted: boolean) {
  const pinned = usePinned();
  const { held } = useArea();
  return useQuery({
    ...FLEETING,
    queryKey: [KEY, 'orders', id, page],
    queryFn: ({ signal }) =>
      pinned((pin) =>
        counted(
          (options) =>
            shadowCustomerOrdersList(...here(), id, { limit: LEDGER_PAGE, page, count: true }, pin, options),
          { signal },
        ),
      ),
    placeholderData: keepPreviousData,
    enabled: wanted && held.pin !== undefined,
  });
}

/** Days, of which none is no bound. */
export interface Days {
  from: string | null;
  till: string | null;
}
const bounds = ({ from, till }: Days) => ({ ...(from ? { from } : {}), ...(till ? { till } : {}) });

/** Rows of a ledger, and their sums; both are read once the card is seen. */
function useLedger<T>(key: readonly unknown[], wanted: boolean, read: () => Promise<T>) {
  const { held } = useArea();
  return useQuery({
    ...FLEETING,
    queryKey: [KEY, ...key],
    queryFn: read,
    placeholderData: keepPreviousData,
    enabled: wanted && held.pin !== undefined,
  });
}

export function useBalanceRows(id: string, days: Days, page: number, wanted: boolean) {
  const pinned = usePinned();
  const query = { ...bounds(days), limit: LEDGER_PAGE, page, count: true };
  return useLedger(['balance', id, query], wanted, () =>
    pinned((pin) => counted((options) => shadowCustomerBalanceList(...here(), id, query, pin, options))),
  );
}
export function useBalanceSum(id: string, days: Days, wanted: boolean) {
  const pinned = usePinned();
  return useLedger(['balance', id, 'sum', days], wanted, () =>
    pinned((pin) => shadowCustomerBalanceSum(...here(), id, bounds(days), pin)),
  );
}
export function usePointRows(id: string, days: Days, page: number, wanted: boolean) {
  const pinned = usePinned();
  const query = { ...bounds(days), limit: LEDGER_PAGE, page, count: true };
  return useLedger(['points', id, query], wanted, () =>
    pinned((pin) => counted((options) => shadowCustomerPointsList(...here(), id, query, pin, options))),
  );
}
export function usePointSum(id: string, days: Days, wanted: boolean) {
  const pinned = usePinned();
  return useLedger(['points', id, 'sum', days], wanted, () =>
    pinned((pin) => shadowCustomerPointsSum(...here(), id, bounds(days), pin)),
  );
}

/** With these nobody pays into a balance. */
const NO_METHODS = ['balance', 'split', 'points'];

const usePaymentMethods = () =>
  useQuery({
    queryKey: ['payment_methods', 'names'],
    queryFn: () => paymentMethodsList(...here()),
    staleTime: 600_000,
  }).data;

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

/** The calls that write, each with the PIN; what is shown is read again after them. */
export function useCustomerCalls() {
  const pinned = usePinned();
  const client = useQueryClient();
  const one = (id: string) => [KEY, 'one', id];
  /** Everything but this customer, of whom the answer is known. */
  const others = (known: string) =>
    void client.invalidateQueries({
      queryKey: [KEY],
      predicate: ({ queryKey: [, what, id] }) => !(what === 'one' && id === known),
    });
  const took = (row: ShadowCustomerDetails) => {
    client.setQueryData(one(row.id), row);
    others(row.id);
    return row;
  };
  const addresses = (id: string, change: (all: ShadowCustomerAddress[]) => ShadowCustomerAddress[]) =>
    client.setQueryData<ShadowCustomerDetails>(
      one(id),
      (old) => old && { ...old, addresses: change(old.addresses) },
    );
  const all = () => void client.invalidateQueries({ queryKey: [KEY] });
  const addAddress = async (id: string, body: Body, key: string) => {
    const added = await pinned((pin) =>
      shadowCustomerAddressesCreate(
        ...here(),
        id,
        body as unknown as NewShadowCustomerAddress,
        {},
        {
          ...pin,
          'Idempotency-Key': key,
        },
      ),
    );
    addresses(id, (old) => [...old, added]);
    return added;
  };
  return {
    create: async (body: Body, key: string) =>
      took(
        await pinned((pin) =>
          shadowCustomersCreate(
            ...here(),
            body as unknown as NewShadowCustomer,
            {},
            {
              ...pin,
              'Idempotency-Key': key,
            },
          ),
        ),
      ),
    change: async (id: string, body: Body) =>
      took(
        await pinned((pin) =>
          shadowCustomersUpdate(...here(), id, body as unknown as ShadowCustomerChange, {}, pin),
        ),
      ),
    anonymise: (id: string) => pinned((pin) => shadowCustomersDelete(...here(), id, {}, pin)),
    /** Of a customer whose page is left: nothing is read again. */
    forget: (id: string) => {
      client.removeQueries({ queryKey: one(id) });
      others(id);
    },
    merge: async (id: string, into: string, key: string) => {
      const stays = await pinned((pin) =>
        shadowCustomersMerge(...here(), id, { into }, {}, { ...pin, 'Idempotency-Key': key }),
      );
      took(stays);
      return stays;
    },
    unmerge: async (id: string) => {
      await pinned((pin) => shadowCustomersUnmerge(...here(), id, {}, pin));
      all();
    },
    addAddress,
    changeAddress: async (id: string, { id: address, version }: ShadowCustomerAddress, body: Body) => {
      const change = { ...body, version } as ShadowCustomerAddressChange;
      const changed = await pinned((pin) =>
        shadowCustomerAddressesUpdate(...here(), id, address, change, {}, pin),
      );
      addresses(id, (old) => old.map((each) => (each.id === changed.id ? changed : each)));
      return changed;
    },
    removeAddress: async (id: string, { id: address }: ShadowCustomerAddress) => {
      await pinned((pin) => shadowCustomerAddressesDelete(...here(), id, address, {}, pin));
      addresses(id, (old) => old.filter((each) => each.id !== address));
    },
    /** Adds a deleted one anew, with its place on the map. */
    bringAddressBack: (id: string, address: ShadowCustomerAddress) => {
      const { coord_lat, coord_lng } = address;
      return addAddress(id, { ...addressBody(addressValues(address)), coord_lat, coord_lng }, newKey());
    },
    pay: async (id: string, body: NewBalanceTransaction, key: string) => {
      await pinned((pin) =>
        shadowCustomerBalanceCreate(...here(), id, body, {}, { ...pin, 'Idempotency-Key': key }),
      );
      all();
    },
    givePoints: async (id: string, body: NewPointTransaction, key: string) => {
      await pinned((pin) =>
        shadowCustomerPointsCreate(...here(), id, body, {}, { ...pin, 'Idempotency-Key': key }),
      );
      all();
    },
    exportAll: () => pinned((pin) => requestFile(getShadowCustomersExportUrl(...here()), { ...pin })),
  };
}
