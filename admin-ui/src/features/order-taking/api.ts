import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { menuGet, publicPaymentMethodsList } from '../../generated/client/public/public';
import { deliveryRegionsNames } from '../../generated/client/restaurants/restaurants';
import type { MenuChannel, PublicPaymentMethod } from '../../generated/model';
import { useLiveEvent } from '../../lib/live';
import { here } from '../../lib/target';
import { type Book, bookOf, NO_BOOK } from './menu';

/** What is sold changes while an order is taken: the menu is read anew this often. ms */
const MENU_MS = 60_000;

const MENU = 'order_menu';

/** The menu is read at once when somebody changes it, or when what is counted is sold. */
function useLiveMenu(): void {
  const client = useQueryClient();
  const again = () => void client.invalidateQueries({ queryKey: [MENU] });
  useLiveEvent('TASK_CATALOGUE_RELOAD', again);
  useLiveEvent('TASK_QUANTITIES_RELOAD', again);
}

/** The menu of a channel as orders are taken from it. */
export function useBook(channel: MenuChannel) {
  useLiveMenu();
  const query = useQuery({
    queryKey: [MENU, channel],
    queryFn: () => menuGet(...here(), { channel }),
    refetchInterval: MENU_MS,
  });
  const { data: menu } = query;
  const book = useMemo<Book>(() => (menu ? bookOf(menu) : NO_BOOK), [menu]);
  return { query, book, restaurant: menu?.restaurant };
}

/** The ways to pay that the restaurant takes. */
export const usePaymentMethods = () =>
  useQuery({
    queryKey: ['order_payment_methods'],
    queryFn: () => publicPaymentMethodsList(...here()),
    staleTime: MENU_MS,
  });

/** Those of orders on the phone. */
export const isByPhone = ({ type_phone, paid_online }: PublicPaymentMethod): boolean =>
  type_phone && !paid_online;

/** The delivery regions, for choosing one by hand. */
export const useRegionNames = (wanted: boolean) =>
  useQuery({
    queryKey: ['order_region_names'],
    queryFn: () => deliveryRegionsNames(...here()),
    enabled: wanted,
    staleTime: MENU_MS,
  });
