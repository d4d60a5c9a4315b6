/**
 * An order as the service answers it, and what follows from it without asking anybody: how it is handed over,
 * whether it is paid, how guest and address are written. Amounts are only shown, never added up.
 */
import type {
  Order,
  OrderItem,
  OrderSummary,
  OrderSummaryAddress,
  OrderSummaryItem,
  OrderSummaryOption,
  OrderSummaryPaymentMethod,
} from '../../generated/model';
import { ArchiveReason } from '../../generated/model/archiveReason';
import type { Amount, Language } from '../../lib/format';

export type { Order, OrderItem } from '../../generated/model';
/** What a list has of an order; a whole order is one too. */
export type OrderRow = OrderSummary;
export type RowItem = OrderSummaryItem;
type RowItemName = Pick<RowItem, 'name' | 'name_sec_lang'>;
export type DeliveryData = OrderSummaryAddress;
export { ArchiveReason };

/** Why an order is refused or cancelled, in the order offered; `other` says more in its own words. */
export const ARCHIVE_REASONS = Object.values(ArchiveReason).filter((reason) => !isOfGoods(reason));

/** Why goods go back, in the order offered. */
export const GOODS_REASONS = Object.values(ArchiveReason).filter(
  (reason) => isOfGoods(reason) || reason === ArchiveReason.other,
);

type GoodsReason = 'wrong' | 'cold' | 'missing' | 'complaint';

/** Whether it says why goods went back. */
export function isOfGoods(reason: ArchiveReason): reason is GoodsReason {
  return (['wrong', 'cold', 'missing', 'complaint'] as ArchiveReason[]).includes(reason);
}

/** Minutes offered beside the restaurant's estimate when accepting. */
export const ACCEPT_MINUTES = [10, 20, 30, 45, 60] as const;

export const isUnaccepted = (order: OrderRow): boolean => order.status === 'succeeded' && !order.archived_at;
export const isAccepted = (order: OrderRow): boolean => order.status === 'processed' && !order.archived_at;
/** "Unacceptable" orders are opened without being accepted first. */
export const canAccept = (order: OrderRow): boolean => order.allowed.includes('accept');
export const canTakeBack = (order: OrderRow): boolean => order.allowed.includes('take_back');
export const canPrepare = (order: OrderRow): boolean => order.allowed.includes('prepare');
export const canRecall = (order: OrderRow): boolean => order.allowed.includes('recall');
export const canChange = (order: OrderRow): boolean => order.allowed.includes('change');
/** Other items: another order takes its place. */
export const canReplace = (order: OrderRow): boolean => order.allowed.includes('replace');
export const canArchive = (order: OrderRow): boolean => order.allowed.includes('archive');

/** Here (table, till, sit-in kiosk), else pickup, else delivery. */
type Fulfilment = 'here' | 'pickup' | 'delivery';

export function fulfilment(order: OrderRow): Fulfilment {
  if (order.table_name || order.platform === 'sit_in' || order.platform === 'kiosk_sit_in') return 'here';
  if (order.pickup || order.platform === 'take_away' || order.platform === 'kiosk_take_away') return 'pickup';
  return 'delivery';
}

/**
 * Paid: nothing is left to pay. One that is paid online becomes `succeeded` only by its payment.
 */
export function isPaid(order: OrderRow): boolean {
  if (Number(order.due) <= 0) return true;
  return (
    Boolean(order.payment_method?.paid_online) &&
    !['received', 'canceled', 'expired', 'failed'].includes(order.status)
  );
}

export const paymentName = (method: OrderSummaryPaymentMethod, language: Language): string =>
  language === 'en' ? method.name_en : method.name;

/** Last name first in Hungarian. */
export function guestName(order: Pick<OrderRow, 'first_name' | 'last_name'>, language: Language): string {
  const names = language === 'hu' ? [order.last_name, order.first_name] : [order.first_name, order.last_name];
  return names
    .map((name) => name?.trim())
    .filter(Boolean)
    .join(' ');
}

/** The VAT rate of an item; those of its parts where they have several. */
export const rates = (item: Pick<OrderItem, 'vat_percent' | 'parts'>): Amount[] =>
  item.vat_percent == null ? [...new Set(item.parts.map((part) => part.vat_percent))] : [item.vat_percent];

/** Product with size as the service names them, in the menu's second language where it has a name in it. */
export const itemName = (item: RowItemName, secondary = false): string =>
  (secondary && item.name_sec_lang) || item.name;

export const optionName = (option: OrderSummaryOption, secondary = false): string =>
  (secondary && option.option.name_sec_lang) || option.option.name;

/** `1061 Budapest, Szív u. 14.` in Hungarian, `Szív u. 14., 1061 Budapest` in English. */
export function addressLine(
  address: {
    postcode?: string | null;
    city?: string | null;
    street?: string | null;
    premise_number?: string | null;
  },
  language: Language,
): string {
  const town = [address.postcode, address.city].filter(Boolean).join(' ');
  const street = [address.street, address.premise_number].filter(Boolean).join(' ');
  return (language === 'hu' ? [town, street] : [street, town]).filter(Boolean).join(', ');
}

/**
 * Floor, door and bell with their keys; a bare number gets its word, `2. em.` stays as the guest wrote it.
 */
export function addressDetails(
  address: DeliveryData,
): { key: 'building' | 'floor' | 'door_number' | 'doorbell'; value: string; bare: boolean }[] {
  return (['building', 'floor', 'door_number', 'doorbell'] as const).flatMap((key) => {
    const value = address[key]?.trim();
    return value ? [{ key, value, bare: key === 'doorbell' || /^[\p{L}\d]{1,4}$/u.test(value) }] : [];
  });
}

/** A search for the address on the public map. */
export function mapUrl(address: DeliveryData & { country?: string | null }): string {
  const query = [address.street, address.premise_number, address.postcode, address.city, address.country]
    .filter(Boolean)
    .join(' ');
  return `https://www.openstreetmap.org/search?${new URLSearchParams({ query })}`;
}

const isZero = (amount: Amount): boolean => amount === null || amount === undefined || Number(amount) === 0;

/** The row of a promotion, of a fee; `name` is that of the promotion. */
export interface PriceRow {
  step: string;
  amount: Amount;
  name?: string;
}

/** The steps that stand in the list of items already. */
const ITEM_STEPS = ['item', 'gift'];

/**
 * The rows between the items and the total, as the service explains it: promotions by their names, delivery, fees,
 * tips, deposit. Orders of earlier releases, whose explanation knows no items, have their sums instead.
 */
export function priceRows(order: Order): PriceRow[] {
  if (!order.lines.some(({ step }) => ITEM_STEPS.includes(step))) return sumRows(order);
  const names = new Map(
    (order.promotions ?? []).map((promotion) => [promotion.promotion_id, promotion.name]),
  );
  return order.lines
    .filter(({ step }) => !ITEM_STEPS.includes(step))
    .map(({ step, ref, amount }) => {
      const name = ref ? names.get(ref) : undefined;
      return name ? { step, amount, name } : { step, amount };
    });
}

/** The rows between the goods and the total; those without an amount are left out. */
function sumRows(order: Order): PriceRow[] {
  const discounted = !isZero(order.discount_price);
  const rows: [string, Amount][] = [
    ...(discounted
      ? ([
          ['original', order.original_price],
          ['discount', `-${order.discount_price}`],
        ] as [string, Amount][])
      : ([
          ['products', order.products_price],
          ['delivery_fee', order.delivery_price],
        ] as [string, Amount][])),
    ['service_fee', order.service_fee],
    ['tip', order.tip],
    ['employee_tip', order.employee_tip],
    ['courier_tip', order.courier_tip],
    ['system_usage_fee', order.system_usage_fee],
  ];
  return rows
    .filter(([step, amount]) => step === 'products' || !isZero(amount))
    .map(([step, amount]) => ({ step, amount }));
}

/** When the kitchen gets an order; a row leaves the time out where that is at once. */
export const shownAt = (order: { show_at?: string | null; created_at: string }): string =>
  order.show_at ?? order.created_at;
