import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  discountsCreate,
  discountsGet,
  discountsRevenue,
  discountsRunning,
  discountsUpdate,
  discountUsagesCreate,
  discountUsagesDelete,
  discountUsagesList,
} from '../../generated/client/orders/orders';
import { shadowCustomersList } from '../../generated/client/people/people';
import { restaurantsList } from '../../generated/client/restaurants/restaurants';
import type { Discount, DiscountChange, NewDiscount } from '../../generated/model';
import { useCan } from '../../lib/access';
import type { Body } from '../../lib/form/body';
import { ApiError } from '../../lib/http';
import { readKey, useForget, useRead } from '../../lib/query';
import { here, useRestaurant } from '../../lib/target';
import { categoryCalls, keys } from '../categories-and-products/shared/api';
import { categoryChoices } from '../categories-and-products/shared/categoryChoices';
import type { Choice } from '../categories-and-products/shared/sizes';
import type { UsagesBody } from './draft';

/** Restaurants are read whole for choosing. */
const ALL = 10_000;

/** One promotion; undefined id: none. */
export const useDiscount = (id: string | undefined) =>
  useRead(readKey('discountsGet', id), () => discountsGet(...here(), id!), { enabled: id !== undefined });

/**
 * Reads again what is shown of promotions. `row` was just answered; `gone` is the id of one that is not there any
 * more, while a drawer that shows it is still closing.
 */
export function useRefreshDiscounts(): (known?: { row?: Discount; gone?: string }) => void {
  const client = useQueryClient();
  const forget = useForget();
  return ({ row, gone } = {}) => {
    if (row) client.setQueryData(readKey('discountsGet', row.id), row);
    const known = [row?.id, gone].filter((id) => id !== undefined).map((id) => readKey('discountsGet', id));
    void forget(['discounts', 'discount_usages', 'discount_series'], known);
  };
}

/** What runs at the restaurant, read anew each half minute. */
export const useRunning = () =>
  useRead('discountsRunning', () => discountsRunning(...here()), { refetchInterval: 30_000 });

/** What a promotion did in these business days; null is no bound. */
export const useRevenue = (id: string, from: string | null, till: string | null) =>
  useRead(
    readKey('discountsRevenue', id, from, till),
    () => discountsRevenue(...here(), id, { ...(from ? { from } : {}), ...(till ? { till } : {}) }),
    { placeholderData: keepPreviousData },
  );

/** The company's restaurants that the account may choose. */
export function useCompanyRestaurants() {
  const { partner_id } = useRestaurant();
  return useRead(
    readKey('restaurantsList', partner_id, ALL),
    () => restaurantsList(partner_id, { limit: ALL }),
    { staleTime: 600_000 },
  ).data;
}

/** Whether the account acts for the whole company: then a promotion may hold everywhere. */
export const useWholeCompany = (): boolean => useCan()('discount@partner');

/** All categories of the menu. */
export function useCategoryChoices(): Choice[] | undefined {
  const all = useRead(keys.categories(), () => categoryCalls.list({})).data;
  return useMemo(() => all && categoryChoices(all), [all]);
}

const pinned = (pin: string) => ({ 'X-Pin': pin });

/** The customers named with a promotion. They are personal data: nothing of them outlives the page. */
export const useUsages = (id: string | undefined, pin: string | undefined) =>
  useRead(readKey('discountUsagesList', id), () => discountUsagesList(...here(), id!, {}, pinned(pin!)), {
    enabled: id !== undefined && pin !== undefined,
    gcTime: 0,
    retry: false,
  });

/** Customers by words of their name, e-mail or phone. */
export const useCustomers = (name: string, pin: string) =>
  useRead(
    readKey('shadowCustomersList', 'named', name),
    () => shadowCustomersList(...here(), { limit: 40, ...(name ? { name } : {}) }, pinned(pin)),
    {
      placeholderData: keepPreviousData,
      gcTime: 0,
      retry: false,
    },
  );

/** Saves the promotion itself. */
export const saveDiscount = (id: string | undefined, body: Body, key: string): Promise<Discount> =>
  id === undefined
    ? discountsCreate(...here(), body as unknown as NewDiscount, { 'Idempotency-Key': key })
    : discountsUpdate(...here(), id, body as DiscountChange);

/**
 * One call for each customer. Sent again after a failure it changes nothing that is done: who is named already
 * is answered, and who is off already is gone.
 */
export async function saveUsages(id: string, { add, remove }: UsagesBody, pin: string): Promise<void> {
  for (const shadow_customer_id of add)
    await discountUsagesCreate(...here(), id, { shadow_customer_id }, {}, pinned(pin));
  for (const usage of remove) {
    try {
      await discountUsagesDelete(...here(), id, usage, {}, pinned(pin));
    } catch (failure) {
      if (!(failure instanceof ApiError && failure.code === 'DISCOUNT_USAGE_NOT_EXIST')) throw failure;
    }
  }
}
