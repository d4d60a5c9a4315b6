import { fulfilment, guestName, isPaid, itemName, type OrderRow } from '../order/model';
import { plain } from '../../lib/plain';

/** Which orders of the board are shown; what is empty hides nothing. */
export interface Filter {
  /** Platforms. */
  channels: readonly string[];
  ways: readonly Way[];
  payment: Payment | undefined;
  text: string;
}

export const WAYS = ['delivery', 'pickup', 'here'] as const;
export type Way = (typeof WAYS)[number];
export const PAYMENTS = ['paid', 'unpaid'] as const;
export type Payment = (typeof PAYMENTS)[number];

export const NO_FILTER: Filter = { channels: [], ways: [], payment: undefined, text: '' };

/** Names in the address. */
const CHANNEL = 'channel';
const WAY = 'way';
const PAYMENT = 'payment';
const TEXT = 'q';
const LONGEST_TEXT = 100;

const among = <T extends string>(known: readonly T[], values: readonly string[]): T[] =>
  known.filter((one) => values.includes(one));

/** What an address says; what nobody knows is left out. */
export function filterAt(search: string, platforms: readonly string[]): Filter {
  const query = new URLSearchParams(search);
  return {
    channels: among(platforms, query.getAll(CHANNEL)),
    ways: among(WAYS, query.getAll(WAY)),
    payment: among(PAYMENTS, query.getAll(PAYMENT))[0],
    text: (query.get(TEXT) ?? '').trim().slice(0, LONGEST_TEXT),
  };
}

/** The address with this filter; what else stands in it stays. */
export function searchOf(filter: Filter, before: string): string {
  const query = new URLSearchParams(before);
  for (const name of [CHANNEL, WAY, PAYMENT, TEXT]) query.delete(name);
  for (const channel of filter.channels) query.append(CHANNEL, channel);
  for (const way of filter.ways) query.append(WAY, way);
  if (filter.payment) query.set(PAYMENT, filter.payment);
  if (filter.text) query.set(TEXT, filter.text);
  return query.toString();
}

export const filters = ({ channels, ways, payment, text }: Filter): boolean =>
  channels.length > 0 || ways.length > 0 || payment !== undefined || text !== '';

/** What a text is looked for in: number, guest, address, table, waiter, items, messages. */
function said(order: OrderRow): string {
  const to = order.delivery_data;
  return plain(
    [
      order.counter,
      guestName(order, 'hu'),
      guestName(order, 'en'),
      order.admin_name,
      order.table_name,
      to && [to.postcode, to.city, to.street, to.premise_number].filter(Boolean).join(' '),
      order.message,
      ...(order.items ?? []).flatMap((item) => [itemName(item), item.name_sec_lang, item.message]),
    ]
      .filter(Boolean)
      .join('\n'),
  );
}

const digits = (text: string): string => text.replace(/\D/g, '');
/** So many digits of a phone say whose it is. */
const PHONE_DIGITS = 3;

function speaksOf(order: OrderRow, text: string): boolean {
  if (!text) return true;
  const all = said(order);
  if (text.split(/\s+/).every((word) => all.includes(plain(word)))) return true;
  const number = /^[\d\s+()/-]+$/.test(text) ? digits(text) : '';
  return number.length >= PHONE_DIGITS && digits(order.phone_1 ?? '').includes(number);
}

/** Whether an order is shown. */
export const passes = (order: OrderRow, { channels, ways, payment, text }: Filter): boolean =>
  (channels.length === 0 || channels.includes(order.platform)) &&
  (ways.length === 0 || ways.includes(fulfilment(order))) &&
  (payment === undefined || (payment === 'paid') === isPaid(order)) &&
  speaksOf(order, text);
