import type { ApiKey, GettingStartedItem } from '../../generated/model';

/** A way in which guests order. */
export type Way = 'phone' | 'shop' | 'table' | 'kiosk';

interface RestaurantFacts {
  /** Undefined as long as they are not known, null for those who may not see them. */
  keys: readonly Pick<ApiKey, 'revoked_at' | 'scopes'>[] | undefined | null;
  kioskOn: boolean;
  kiosks: number | undefined;
}

/** What each way lacks: items of the list, and what it needs besides. Nothing: it works. */
export function missingOf(items: readonly GettingStartedItem[], { keys, kioskOn, kiosks }: RestaurantFacts) {
  const open = (needed: (item: GettingStartedItem) => boolean) =>
    items.filter((item) => !item.done && needed(item)).map(({ key }) => key);
  // A person who may not see them is told so.
  const unseen = keys === null ? ['api_key_unseen'] : [];
  const orders = keys?.some((key) => !key.revoked_at && key.scopes.includes('orders:write'));
  const menu = open(({ key }) => key === 'menu');
  return {
    // What guests must be told before they order by themselves, staff say on the phone.
    phone: menu,
    shop: [...open(({ needed }) => needed), ...(orders === false ? ['api_key'] : []), ...unseen],
    table: ['tables', 'phone_orders'],
    kiosk: [
      ...(kioskOn ? [] : ['kiosk_off']),
      ...menu,
      ...(kioskOn && kiosks === 0 ? ['kiosk'] : []),
      'kiosk_app',
    ],
  } satisfies Record<Way, string[]>;
}
