import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { menuGet, publicPaymentMethodsList } from '../../generated/client/public/public';
import { deliveryRegionsNames } from '../../generated/client/restaurants/restaurants';
import type { MenuChannel, PublicPaymentMethod } from '../../generated/model';
import { useStanding } from '../../lib/hooks';
import { useLiveEvent } from '../../lib/live';
import { here } from '../../lib/target';
import { type Book, bookOf, NO_BOOK } from './menu';

/** What is sold changes while an order is taken: the menu is read anew this often. ms */
const MENU_MS = 60_000;

const MENU = 'order_menu';

const useMenuOf = (channel: MenuChannel, enabled: boolean) =>
  useQuery({
    queryKey: [MENU, channel],
    queryFn: () => menuGet(...here(), { channel }),
    enabled,
    refetchInterval: MENU_MS,
  });

/** The menu is read at once when somebody changes it, or when what is counted is sold. */
function useLiveMenu(): void {
  const client = useQueryClient();
  const again = () => void client.invalidateQueries({ queryKey: [MENU] });
  useLiveEvent('TASK_CATALOGUE_RELOAD', again);
  useLiveEvent('TASK_QUANTITIES_RELOAD', again);
}

/** The channels whose menus tell what the phone does not sell. */
const OTHERS: readonly [MenuChannel, MenuChannel] = ['online', 'sit_in'];

/**
 * The menu of a channel as orders are taken from it. What only other channels sell comes once the page stands.
 */
export function useBook(channel: MenuChannel) {
  const standing = useStanding();
  useLiveMenu();
  const query = useMenuOf(channel, true);
  const { data: menu } = query;
  const later = standing && menu !== undefined;
  const online = useMenuOf(OTHERS[0], later).data;
  const counter = useMenuOf(OTHERS[1], later).data;
  const book = useMemo<Book>(
    () =>
      menu
        ? bookOf(
            menu,
            [online, counter].flatMap((one) => one ?? []),
          )
        : NO_BOOK,
    [menu, online, counter],
  );
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
