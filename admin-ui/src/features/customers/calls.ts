import { useQueryClient } from '@tanstack/react-query';
import {
  getShadowCustomersExportUrl,
  shadowCustomerAddressesCreate,
  shadowCustomerAddressesDelete,
  shadowCustomerAddressesUpdate,
  shadowCustomerBalanceCreate,
  shadowCustomerPointsCreate,
  shadowCustomersCreate,
  shadowCustomersDelete,
  shadowCustomersImport,
  shadowCustomersMerge,
  shadowCustomersUnmerge,
  shadowCustomersUpdate,
} from '../../generated/client/people/people';
import type {
  NewBalanceTransaction,
  NewPointTransaction,
  NewShadowCustomer,
  NewShadowCustomerAddress,
  ShadowCustomerAddress,
  ShadowCustomerAddressChange,
  ShadowCustomerChange,
  ShadowCustomerDetails,
} from '../../generated/model';
import type { Body } from '../../lib/form/body';
import { requestFile } from '../../lib/http';
import { newKey } from '../../lib/idempotency';
import { readKey, useForget } from '../../lib/query';
import { here } from '../../lib/target';
import { CUSTOMERS } from './api';
import { usePinned } from './area';
import { addressBody, addressValues } from './shared/address';

const one = (id: string) => readKey('shadowCustomersGet', id);

/** What was read, and is read again or known after a call. */
function useCache() {
  const client = useQueryClient();
  const again = useForget();
  /** Everything but this customer: of whom the answer is known, or who is gone. */
  const others = (id: string) => void again(CUSTOMERS, [one(id)]);
  return {
    others,
    all: () => void again(CUSTOMERS),
    took: (row: ShadowCustomerDetails) => {
      client.setQueryData(one(row.id), row);
      others(row.id);
      return row;
    },
    forget: (id: string) => {
      client.removeQueries({ queryKey: one(id) });
      others(id);
    },
    addresses: (id: string, change: (all: ShadowCustomerAddress[]) => ShadowCustomerAddress[]) =>
      void client.setQueryData<ShadowCustomerDetails>(
        one(id),
        (old) => old && { ...old, addresses: change(old.addresses) },
      ),
  };
}

/** The calls that write customers, each with the PIN. */
export function useCustomerCalls() {
  const pinned = usePinned();
  const cache = useCache();
  return {
    create: async (body: Body, key: string) => {
      const sent = body as unknown as NewShadowCustomer;
      return cache.took(
        await pinned((pin) => shadowCustomersCreate(...here(), sent, {}, { ...pin, 'Idempotency-Key': key })),
      );
    },
    change: async (id: string, body: Body) => {
      const sent = body as unknown as ShadowCustomerChange;
      return cache.took(await pinned((pin) => shadowCustomersUpdate(...here(), id, sent, {}, pin)));
    },
    anonymise: (id: string) => pinned((pin) => shadowCustomersDelete(...here(), id, {}, pin)),
    /** Of a customer whose page is left: nothing is read again. */
    forget: cache.forget,
    merge: async (id: string, into: string, key: string) =>
      cache.took(
        await pinned((pin) =>
          shadowCustomersMerge(...here(), id, { into }, {}, { ...pin, 'Idempotency-Key': key }),
        ),
      ),
    unmerge: async (id: string) => {
      await pinned((pin) => shadowCustomersUnmerge(...here(), id, {}, pin));
      cache.all();
    },
    /** Sent again it adds nobody twice: who is known by then stays as they are. */
    importFile: async (file: File, dry_run: boolean) => {
      const done = await pinned((pin) =>
        shadowCustomersImport(...here(), { file, dry_run }, {}, pin, { timeout: 120_000 }),
      );
      if (!dry_run) cache.all();
      return done;
    },
    exportAll: () => pinned((pin) => requestFile(getShadowCustomersExportUrl(...here()), { ...pin })),
  };
}

/** The calls that write addresses; what they answer is shown at once. */
export function useAddressCalls() {
  const pinned = usePinned();
  const cache = useCache();
  const add = async (id: string, body: Body, key: string) => {
    const sent = body as unknown as NewShadowCustomerAddress;
    const added = await pinned((pin) =>
      shadowCustomerAddressesCreate(...here(), id, sent, {}, { ...pin, 'Idempotency-Key': key }),
    );
    cache.addresses(id, (old) => [...old, added]);
  };
  return {
    add,
    change: async (id: string, { id: address, version }: ShadowCustomerAddress, body: Body) => {
      const sent = { ...body, version } as ShadowCustomerAddressChange;
      const changed = await pinned((pin) =>
        shadowCustomerAddressesUpdate(...here(), id, address, sent, {}, pin),
      );
      cache.addresses(id, (old) => old.map((each) => (each.id === changed.id ? changed : each)));
    },
    remove: async (id: string, { id: address }: ShadowCustomerAddress) => {
      await pinned((pin) => shadowCustomerAddressesDelete(...here(), id, address, {}, pin));
      cache.addresses(id, (old) => old.filter((each) => each.id !== address));
    },
    /** Adds a deleted one anew, with its place on the map. */
    bringBack: (id: string, address: ShadowCustomerAddress) => {
      const { coord_lat, coord_lng } = address;
      return add(id, { ...addressBody(addressValues(address)), coord_lat, coord_lng }, newKey());
    },
  };
}

/** The calls that add to a ledger. */
export function useLedgerCalls() {
  const pinned = usePinned();
  const cache = useCache();
  return {
    pay: async (id: string, body: NewBalanceTransaction, key: string) => {
      await pinned((pin) =>
        shadowCustomerBalanceCreate(...here(), id, body, {}, { ...pin, 'Idempotency-Key': key }),
      );
      cache.all();
    },
    givePoints: async (id: string, body: NewPointTransaction, key: string) => {
      await pinned((pin) =>
        shadowCustomerPointsCreate(...here(), id, body, {}, { ...pin, 'Idempotency-Key': key }),
      );
      cache.all();
    },
  };
}
