/** Changing an order: what is edited, what is missing, what is sent. Nothing here asks anybody. */
import type { OrderEdit, OrderDeliveryData } from '../../../generated/model';
import { same } from '../../../lib/form/body';
import type { Faults } from '../../../lib/form/useDraft';
import { type AddressValues, addressBody, addressValues, NEEDED } from '../../customers/shared/address';
import { fulfilment, type Order } from '../model';

export interface ChangeDraft {
  first_name: string;
  last_name: string;
  phone_1: string;
  email: string;
  message: string;
  pickup: boolean;
  address: AddressValues;
  /** A region that is chosen by hand; null: it is looked for. */
  delivery_region_id: string | null;
  override_reason: string;
  /** It is wanted at `expected_at`. */
  later: boolean;
  expected_at: string | null;
  payment_method_id: string | null;
  /** A plain decimal; empty: nobody said it. */
  pays_with: string;
  courier_id: string | null;
  pin: string;
}

const addressOf = (order: Pick<Order, 'delivery_data'>): AddressValues =>
  addressValues(order.delivery_data ?? {});

/** The order as it is edited. */
export const draftOf = (order: Order): ChangeDraft => ({
  first_name: order.first_name ?? '',
  last_name: order.last_name ?? '',
  phone_1: order.phone_1 ?? '',
  email: order.email ?? '',
  message: order.message ?? '',
  pickup: order.pickup,
  address: addressOf(order),
  delivery_region_id: order.delivery_found_by === 'staff' ? (order.delivery_region_id ?? null) : null,
  override_reason: '',
  later: order.is_preorder,
  expected_at: order.is_preorder ? (order.expected_at ?? null) : null,
  payment_method_id: order.payment_method?.id ?? null,
  pays_with: order.pays_with == null ? '' : String(order.pays_with),
  courier_id: order.courier_id ?? null,
  pin: '',
});

/** Who is not at a table or the till leaves a name and a phone. */
export const needsContact = (order: Order): boolean =>
  fulfilment(order) !== 'here' && !['take_away', 'kiosk_take_away'].includes(order.platform);

/** Only some channels leave open whether it is fetched or brought. */
export const canBeBrought = (order: Order): boolean => needsContact(order);

/** It is brought by what is edited. */
export const isBrought = (order: Order, draft: Pick<ChangeDraft, 'pickup'>): boolean =>
  canBeBrought(order) && !draft.pickup;

const optional = (text: string): string | null => text.trim() || null;

/** The address whole, as the service takes it. */
function deliveryData(address: AddressValues): OrderDeliveryData {
  // An address of an order has no name of its own.
  const { name: _, ...fields } = address;
  return addressBody(fields) as unknown as OrderDeliveryData;
}

/** What differs from the order as it was opened; empty where nothing does. */
export function changeBody(order: Order, draft: ChangeDraft): OrderEdit {
  const base = draftOf(order);
  const body: Record<string, unknown> = {};
  for (const field of ['first_name', 'last_name', 'phone_1', 'email', 'message'] as const)
    if (draft[field].trim() !== base[field].trim()) body[field] = optional(draft[field]);
  if (draft.pickup !== base.pickup) body.pickup = draft.pickup;
  if (isBrought(order, draft)) {
    if (draft.pickup !== base.pickup || !same(draft.address, base.address))
      body.delivery_data = deliveryData(draft.address);
    const elsewhere = body.delivery_data !== undefined;
    // A region that was chosen for another address is forgotten: it is said again with the new one.
    if (draft.delivery_region_id !== base.delivery_region_id || (elsewhere && draft.delivery_region_id))
      body.delivery_region_id = draft.delivery_region_id;
    if (draft.override_reason.trim()) body.override_reason = draft.override_reason.trim();
    if (draft.courier_id !== base.courier_id) body.courier_id = draft.courier_id;
  }
  const wanted = draft.later ? draft.expected_at : null;
  if (wanted !== base.expected_at) body.expected_at = wanted;
  if (draft.payment_method_id !== base.payment_method_id) body.payment_method_id = draft.payment_method_id;
  if (draft.pays_with !== base.pays_with) body.pays_with = draft.pays_with ? Number(draft.pays_with) : null;
  // A reason alone changes nothing.
  const fields = Object.keys(body);
  return (fields.length === 1 && fields[0] === 'override_reason' ? {} : body) as OrderEdit;
}

export const isEmpty = (body: OrderEdit): boolean => Object.keys(body).length === 0;

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** What is missing, but for the PIN: keys of texts by field. What nobody touched is not asked for. */
export function missing(order: Order, draft: ChangeDraft): Faults {
  const base = draftOf(order);
  const faults: Record<string, string> = {};
  const named = draft.first_name !== base.first_name || draft.last_name !== base.last_name;
  if (needsContact(order)) {
    if (named && !(draft.first_name + draft.last_name).trim()) faults.last_name = 'form.required';
    if (draft.phone_1 !== base.phone_1 && !draft.phone_1.trim()) faults.phone_1 = 'form.required';
  }
  if (draft.email.trim() && !EMAIL.test(draft.email.trim())) faults.email = 'form.email';
  if (isBrought(order, draft) && (order.pickup || !same(draft.address, base.address)))
    for (const field of NEEDED)
      if (!draft.address[field].trim()) faults[`address.${field}`] = 'form.required';
  if (draft.later && !draft.expected_at) faults.expected_at = 'form.required';
  return faults;
}

const PIN = /^\d{4,8}$/;

/** The number to call and the note are corrected without a PIN. */
const SMALL = ['phone_1', 'message'];

/** Whether it needs the PIN of somebody who may change orders. */
export const needsPin = (body: OrderEdit): boolean =>
  Object.keys(body).some((field) => !SMALL.includes(field));

/** All that is missing before it is sent. */
export const faultsOf = (order: Order, draft: ChangeDraft): Faults => ({
  ...missing(order, draft),
  ...(PIN.test(draft.pin) || !needsPin(changeBody(order, draft)) ? {} : { pin: 'order.pin_missing' }),
});

/** The field of the form for a key of the service. */
export function placeOf(key: string): string | undefined {
  if (key.startsWith('delivery_data.')) return key.replace('delivery_data.', 'address.');
  if (key === 'delivery_data' || key.startsWith('coord_')) return 'address.street';
  const own = ['first_name', 'last_name', 'phone_1', 'email', 'message', 'pickup', 'delivery_region_id'];
  const others = ['override_reason', 'expected_at', 'payment_method_id', 'pays_with', 'courier_id', 'pin'];
  return [...own, ...others].includes(key) ? key : undefined;
}
