import type {
  Menu,
  MenuCategory,
  MenuOptionGroup,
  MenuSubproduct,
  PublicPaymentMethod,
  Restaurant,
} from '../../generated/model';
import { leadAt } from '../../lib/busy';

/** Orders need a number; the restaurant's own rings nowhere else. */
const ANY_PHONE = '+36 1 555 0100';
/** The largest quantity that the service takes in a line. */
const MAX_QUANTITY = 999;
const MINUTE = 60_000;

interface Line {
  subproduct_id: string;
  quantity: number;
  item_options: { option_id: string; quantity: number }[];
}

const sizes = (categories: readonly MenuCategory[]): MenuSubproduct[] =>
  categories.flatMap((category) => [
    ...category.products.flatMap((product) => product.subproducts),
    ...sizes(category.children ?? []),
  ]);

/**
 * What has to be chosen, as a guest in a hurry would: the first options of each group that asks for some.
 * Undefined when it cannot be met.
 */
function choices(
  groups: readonly (MenuOptionGroup | undefined)[],
): { options: Line['item_options']; price: number } | undefined {
  const options: Line['item_options'] = [];
  let price = 0;
  for (const group of groups) {
    if (!group || group.min_no_options <= 0) continue;
    const [first] = group.options;
    if (!first) return undefined;
    const chosen = group.options.slice(0, group.min_no_options).map((option) => ({ option, quantity: 1 }));
    // With too few options the first one is taken several times.
    chosen[0]!.quantity += group.min_no_options - chosen.length;
    for (const { option, quantity } of chosen) {
      options.push({ option_id: option.id, quantity });
      price += Number(option.price) * quantity;
    }
  }
  return { options, price };
}

/**
 * The first thing of the menu that can be had, with what must be chosen, often enough for the least value.
 */
export function firstLine(menu: Pick<Menu, 'categories' | 'option_groups'>, least: number): Line | undefined {
  const groups = new Map(menu.option_groups.map((group) => [group.id, group]));
  for (const size of sizes(menu.categories)) {
    const chosen = size.available ? choices(size.option_group_ids.map((id) => groups.get(id))) : undefined;
    if (!chosen) continue;
    const one = Number(size.price) + chosen.price;
    const wanted = one > 0 ? Math.max(1, Math.ceil(least / one)) : 1;
    const left = size.sellable_quantity ?? MAX_QUANTITY;
    return {
      subproduct_id: size.id,
      quantity: Math.max(1, Math.min(wanted, left, MAX_QUANTITY)),
      item_options: chosen.options,
    };
  }
  return undefined;
}

/** How a guest would get food here: fetched or brought, now or, where only that is offered, later. */
export function wayOf(restaurant: Restaurant, now: number): { pickup: boolean; expected_at?: string } {
  const {
    normal_pickup,
    normal_delivery,
    preorder_pickup,
    preorder_delivery,
    min_days_to_preorder,
    min_preorder_pickup_diff,
    min_preorder_delivery_diff,
  } = restaurant;
  if (normal_pickup || normal_delivery) return { pickup: normal_pickup };
  if (!preorder_pickup && !preorder_delivery) return { pickup: true };
  const least = preorder_pickup ? min_preorder_pickup_diff : min_preorder_delivery_diff;
  const lead = leadAt(restaurant, least, now);
  // A little more than the least, so that it still holds when it arrives.
  const at = now + Math.max((lead + 15) * MINUTE, min_days_to_preorder * 24 * 60 * MINUTE);
  return { pickup: preorder_pickup, expected_at: new Date(at).toISOString() };
}

/** The first payment method that needs no provider; undefined where there is none. */
export const methodOf = (methods: readonly PublicPaymentMethod[], pickup: boolean): string | undefined =>
  methods.find((method) => method.type_web && !method.paid_online && (pickup || method.type_delivery))?.id;

interface Guest {
  first_name: string;
  last_name: string;
  message: string;
}

/** A guest's order from the web, marked as a test: hours, SOS close and the rest hold for it. */
export function tryOrder(
  restaurant: Restaurant,
  line: Line,
  way: ReturnType<typeof wayOf>,
  method: string | undefined,
  guest: Guest,
) {
  const { city, street, premise_number, postcode, phone_1 } = restaurant;
  return {
    platform: 'browser' as const,
    is_test: true,
    ...way,
    ...guest,
    phone_1: phone_1 || ANY_PHONE,
    items: [line],
    ...(method ? { payment_method_id: method } : {}),
    ...(way.pickup
      ? {}
      : {
          delivery_data: {
            city: city || '–',
            street: street || '–',
            premise_number: premise_number || '–',
            ...(postcode ? { postcode } : {}),
          },
        }),
  };
}

/** Why a guest's order is refused, in words; `detail` is what the service says beside it. */
export interface Refusal {
  reason: string;
  detail?: string | null;
}
