/** An order on the phone while it is taken. */
import type {
  Cart as QuoteCart,
  CartItem,
  GiftChoice,
  NewOrder,
  OrderDeliveryData,
  Quote,
  ShadowCustomerAddress,
  ShadowCustomerByPhone,
} from '../../generated/model';
import { same } from '../../lib/form/body';
import type { Faults } from '../../lib/form/useDraft';
import { ADDRESS_FIELDS, type AddressValues, addressValues, NEEDED } from '../customers/shared/address';
import { isWholeNumber } from '../customers/shared/byPhone';
import { type Cart, EMPTY_CART, itemsOf } from '../order-taking/cart';
import { quotedOf } from '../order-taking/PriceChanged';
import type { Tip } from '../order-taking/tip';

export interface PhoneDraft {
  /** As it was typed. */
  phone: string;
  /** The customer whom the number belongs to. */
  customer_id: string | null;
  first_name: string;
  last_name: string;
  email: string;
  message: string;
  pickup: boolean;
  address: AddressValues;
  /** Where a known address lies, as long as it stands as it was taken. Degrees. */
  point: { lat: number; lng: number } | null;
  /** The region is chosen by hand; null: nobody has said so or otherwise. */
  by_hand: boolean | null;
  delivery_region_id: string | null;
  /** It is delivered although the place or the minimum says no. */
  override: boolean;
  override_reason: string;
  cart: Cart;
  /** The cart was filled while another number stood there. */
  cart_of_other: boolean;
  coupon_code: string;
  gift_choices: readonly GiftChoice[];
  /** It is wanted at `expected_at`. */
  later: boolean;
  expected_at: string | null;
  /** The default, or the first that the restaurant takes, unless said otherwise. */
  payment_method_id: string | null;
  /** What the guest pays with in cash, a plain decimal; empty: nobody said it. */
  pays_with: string;
  tip: Tip;
}

export const FRESH: PhoneDraft = {
  phone: '',
  customer_id: null,
  first_name: '',
  last_name: '',
  email: '',
  message: '',
  pickup: false,
  address: addressValues(),
  point: null,
  by_hand: null,
  delivery_region_id: null,
  override: false,
  override_reason: '',
  cart: EMPTY_CART,
  cart_of_other: false,
  coupon_code: '',
  gift_choices: [],
  later: false,
  expected_at: null,
  payment_method_id: null,
  pays_with: '',
  tip: { by: 'default' },
};

/** Nothing was said yet. A cart that was emptied again is empty. */
export const isFresh = (draft: PhoneDraft): boolean =>
  same({ ...draft, cart: { ...draft.cart, next: 1, last: null }, cart_of_other: false }, FRESH);

export const differs = (draft: PhoneDraft): boolean => !isFresh(draft);

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** A time of this minute is not over yet. ms */
const MINUTE = 60_000;

/** Whether a wanted time is over. */
export const isPast = (instant: string | null, now: number = Date.now()): boolean =>
  instant !== null && Date.parse(instant) <= now - MINUTE;

/** What is missing, in the order of the screen: keys of texts by field. */
export function validate(draft: PhoneDraft, now: number = Date.now()): Faults {
  const faults: Record<string, string> = {};
  const required = (path: string, value: string | null) => {
    if (!value?.trim()) faults[path] = 'form.required';
  };
  required('phone', draft.phone);
  required('last_name', draft.last_name + draft.first_name);
  if (draft.email.trim() && !EMAIL.test(draft.email.trim())) faults.email = 'form.email';
  if (!draft.pickup) {
    for (const field of NEEDED) required(`address.${field}`, draft.address[field]);
    if (draft.by_hand) required('delivery_region_id', draft.delivery_region_id);
    if (draft.override) required('override_reason', draft.override_reason);
  }
  if (draft.cart.lines.length === 0) faults.cart = 'phone_orders.cart_required';
  if (draft.later) required('expected_at', draft.expected_at);
  if (draft.later && isPast(draft.expected_at, now)) faults.expected_at = 'phone_orders.time_past';
  return faults;
}

/** What the fault of a path depends on, to be compared: it goes when that changes. */
export function valueAt(draft: PhoneDraft, path: string): string {
  const [first, second] = path.split('.') as [keyof PhoneDraft, keyof AddressValues | undefined];
  const { pickup, by_hand, override, later, last_name, first_name } = draft;
  const values: Partial<Record<keyof PhoneDraft, unknown>> = {
    address: [pickup, second ? draft.address[second] : draft.address],
    delivery_region_id: [pickup, by_hand, draft.delivery_region_id],
    override_reason: [pickup, override, draft.override_reason],
    expected_at: [later, draft.expected_at],
    last_name: [last_name, first_name],
    cart: draft.cart.lines,
  };
  return JSON.stringify(values[first] ?? draft[first] ?? null);
}

/** The field that stands for a key of the service. */
export function place(key: string): string | undefined {
  const [first, second] = key.split('.');
  if (first === 'delivery_data') return `address.${second ?? 'city'}`;
  if (first === 'phone_1') return 'phone';
  if (first === 'items') return 'cart';
  const own = [
    'first_name',
    'last_name',
    'email',
    'message',
    'coupon_code',
    'expected_at',
    'override_reason',
    'pays_with',
  ];
  if (first === 'delivery_region_id' || first === 'tip' || own.includes(first!)) return first;
  return first === 'payment_method_id' ? 'payment_method_id' : undefined;
}

/** Parts of an address that say where it is; the others say how one gets in. */
const PLACES = new Set<keyof AddressValues>(['postcode', 'city', 'street', 'premise_number']);

/** One part of the address, typed: another place has no known coordinates. */
export const addressChange = (
  { address, point }: PhoneDraft,
  name: keyof AddressValues,
  text: string,
): Pick<PhoneDraft, 'address' | 'point'> => ({
  address: { ...address, [name]: text },
  point: PLACES.has(name) ? null : point,
});

/** All of it that is needed: nothing is asked about an address that is still being said. */
export const isPlaced = ({ address }: Pick<PhoneDraft, 'address'>): boolean =>
  NEEDED.every((field) => address[field].trim());

/** An address of the customer as it is edited, with what is known of its place. */
export const knownAddress = (known: ShadowCustomerAddress): Pick<PhoneDraft, 'address' | 'point'> => {
  const { coord_lat: lat, coord_lng: lng } = known;
  const placed = typeof lat === 'number' && typeof lng === 'number';
  return { address: addressValues(known), point: placed ? { lat, lng } : null };
};

/** Whether one of the customer's addresses stands there as it is known. */
export const isKnown = (draft: PhoneDraft, customer: Pick<ShadowCustomerByPhone, 'addresses'>): boolean =>
  customer.addresses.some((known) => same(addressValues(known), draft.address));

type Placed = Partial<Pick<PhoneDraft, 'address' | 'point'>>;

/** Where an earlier order went, unless another address was said in this call. */
export function addressAgain(
  draft: PhoneDraft,
  data: OrderDeliveryData,
  customer: Pick<ShadowCustomerByPhone, 'addresses'> | null | undefined,
): Placed {
  const said = !same(draft.address, FRESH.address) && !(customer && isKnown(draft, customer));
  if (draft.pickup || said) return {};
  const address = addressValues(data);
  // The order has not what the customer calls it.
  const known = customer?.addresses.find((one) => same({ ...addressValues(one), name: '' }, address));
  return known ? knownAddress(known) : { address, point: null };
}

/** The draft in the region that the restaurant has for unknown places, as long as nobody has said otherwise. */
export const withRegion = (draft: PhoneDraft, fallback: string | undefined): PhoneDraft =>
  fallback && !draft.pickup && draft.by_hand === null
    ? { ...draft, by_hand: true, delivery_region_id: fallback }
    : draft;

function deliveryData(address: AddressValues): OrderDeliveryData {
  const given = ADDRESS_FIELDS.flatMap((field) => {
    const text = address[field].trim();
    return field !== 'name' && (text || NEEDED.includes(field)) ? [[field, text]] : [];
  });
  return Object.fromEntries(given) as OrderDeliveryData;
}

/** What the cart is priced with beside the draft. */
export interface Around {
  payment_method_id: string | undefined;
  /** It is paid in cash: what is paid with can be said. */
  cash: boolean;
  /** The amount. */
  tip: number | undefined;
  /** A code that nobody has: each look-up counts, so it is not sent again. */
  unknownCode: string | undefined;
}

const code = ({ coupon_code }: PhoneDraft, { unknownCode }: Around): string | undefined => {
  const text = coupon_code.trim();
  return text && text !== unknownCode ? text : undefined;
};

/** What the service prices; none while there is nothing to price. */
export function quoteBody(draft: PhoneDraft, around: Around): QuoteCart | undefined {
  const items: CartItem[] = itemsOf(draft.cart);
  if (items.length === 0) return undefined;
  const { pickup, customer_id, gift_choices } = draft;
  const phone = isWholeNumber(draft.phone) ? draft.phone.trim() : undefined;
  const email = EMAIL.test(draft.email.trim()) ? draft.email.trim() : undefined;
  const coupon_code = code(draft, around);
  const reason = draft.override ? draft.override_reason.trim() : '';
  return {
    platform: 'phone',
    pickup,
    items,
    ...(customer_id ? { customer_id } : {}),
    ...(phone ? { phone_1: phone } : {}),
    ...(email ? { email } : {}),
    ...(draft.later && draft.expected_at ? { expected_at: draft.expected_at } : {}),
    ...(around.tip ? { tip: around.tip } : {}),
    ...(around.payment_method_id ? { payment_method_id: around.payment_method_id } : {}),
    ...(coupon_code ? { coupon_code } : {}),
    ...(gift_choices.length > 0 ? { gift_choices: [...gift_choices] } : {}),
    ...(!pickup && isPlaced(draft) ? { delivery_data: deliveryData(draft.address) } : {}),
    ...(!pickup && draft.point ? { coord_lat: draft.point.lat, coord_lng: draft.point.lng } : {}),
    ...(!pickup && draft.by_hand && draft.delivery_region_id
      ? { delivery_region_id: draft.delivery_region_id }
      : {}),
    ...(!pickup && reason ? { override_reason: reason } : {}),
  };
}

/** The order, with the price that the guest was told. */
export function orderBody(draft: PhoneDraft, around: Around, quote: Quote | undefined): NewOrder {
  const cart = quoteBody(draft, around) ?? { platform: 'phone', items: [] };
  const text = (value: string) => value.trim() || undefined;
  const names = { first_name: text(draft.first_name), last_name: text(draft.last_name) };
  const message = text(draft.message);
  // A number that cannot be looked for is written down all the same.
  const phone = text(draft.phone);
  return {
    ...cart,
    ...(phone ? { phone_1: phone } : {}),
    ...(names.first_name ? { first_name: names.first_name } : {}),
    ...(names.last_name ? { last_name: names.last_name } : {}),
    ...(message ? { message } : {}),
    ...(around.cash && Number(draft.pays_with) > 0 ? { pays_with: Number(draft.pays_with) } : {}),
    ...(quote ? { total_price: quote.total_price, quoted: quotedOf(quote) } : {}),
  };
}
