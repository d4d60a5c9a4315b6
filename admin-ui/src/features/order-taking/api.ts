import { useMemo } from 'react';
import { menuGet, publicPaymentMethodsList } from '../../generated/client/public/public';
import { deliveryRegionsNames } from '../../generated/client/restaurants/restaurants';
import type { MenuChannel, PublicPaymentMethod } from '../../generated/model';
import { useLiveEvent } from '../../lib/live';
import { readKey, useForget, useRead } from '../../lib/query';
import { here } from '../../lib/target';
import { type Book, bookOf, NO_BOOK } from './menu';

/** What is sold changes while an order is taken: the menu is read anew this often. ms */
const MENU_MS = 60_000;

/** The menu is read at once when somebody changes it, or when what is counted is sold. */
function useLiveMenu(): void {
  const forget = useForget();
  const again = () => void forget(['menuGet']);
  useLiveEvent('TASK_CATALOGUE_RELOAD', again);
  useLiveEvent('TASK_QUANTITIES_RELOAD', again);
}

/** The menu of a channel as orders are taken from it. */
export function useBook(channel: MenuChannel) {
  useLiveMenu();
  const query = useRead(readKey('menuGet', channel), () => menuGet(...here(), { channel }), {
    refetchInterval: MENU_MS,
  });
  const { data: menu } = query;
  const book = useMemo<Book>(() => (menu ? bookOf(menu) : NO_BOOK), [menu]);
  return { query, book, restaurant: menu?.restaurant };
}

/** The ways to pay that the restaurant takes. */
export const usePaymentMethods = () =>
  useRead('publicPaymentMethodsList', () => publicPaymentMethodsList(...here()), { staleTime: MENU_MS });

/** Those of orders on the phone. */
export const isByPhone = ({ type_phone, paid_online }: PublicPaymentMethod): boolean =>
  type_phone && !paid_online;

/** The delivery regions, for choosing one by hand. */
export const useRegionNames = (wanted: boolean) =>
  useRead('deliveryRegionsNames', () => deliveryRegionsNames(...here()), {
    enabled: wanted,
    staleTime: MENU_MS,
  });
