/** The lists of payments and refunds: what an address asks for, and what a payment says. Nothing here asks the service. */
import dayjs from 'dayjs';
import type {
  Payment,
  PaymentEvent,
  PaymentRefund,
  PaymentsListParams,
  RefundsListParams,
} from '../../generated/model';
import { PaymentState } from '../../generated/model/paymentState';
import { RefundState } from '../../generated/model/refundState';
import { PAGE_SIZE } from '../../lib/crud/listProps';
import type { ListState } from '../../lib/crud/useListState';
import { toInstant } from '../../lib/fields/zone';
import { PROVIDER_NAMES } from '../../lib/paymentProviders';
import type { Tone } from '../../lib/ui/page';
import { hundredths, plain } from '../order/payments/exact';
import { isDay, isId } from '../previous-orders/filter';

export const KINDS = ['by_hand', 'online', 'terminal'] as const;
export const STATES = Object.values(PaymentState);
export const REFUND_STATES = Object.values(RefundState);
export const PROVIDERS = Object.keys(PROVIDER_NAMES);

/** What stands in the address beside search and page. */
export const FILTERS = ['attention', 'kind', 'provider', 'state', 'from', 'till', 'order_id'] as const;
export const REFUND_FILTERS = ['state', 'by_person', 'order_id'] as const;
export type FilterName = (typeof FILTERS | typeof REFUND_FILTERS)[number];

type Asked = Pick<ListState, 'search' | 'filters'>;

/** The value of a filter where it is one that could have been chosen here. */
const chosen = <T extends string>(
  { filters }: Asked,
  name: FilterName,
  values: readonly T[],
): T | undefined => values.find((one) => one === filters[name]?.[0]);

/** A day of the address; what is none counts as none. */
export const dayAt = ({ filters }: Asked, name: 'from' | 'till'): string | undefined => {
  const day = filters[name]?.[0] ?? '';
  return isDay(day) ? day : undefined;
};

const orderAt = ({ filters }: Asked): string | undefined => filters.order_id?.find(isId);

/** No longer than the service takes. */
const searchOf = ({ search }: Asked): string | undefined => search.slice(0, 100) || undefined;

/** Without what nothing is asked by. */
const said = <T extends object>(query: T): T =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as T;

/** What payments an address asks for. Days are those of the restaurant's clock; the last one counts whole. */
export function paymentsQuery(asked: Asked, zone: string): PaymentsListParams {
  const start = (day: string | undefined, later = 0) =>
    day && toInstant(dayjs(day).startOf('day').add(later, 'day'), zone);
  return said({
    state: chosen(asked, 'state', STATES),
    kind: chosen(asked, 'kind', KINDS),
    provider: chosen(asked, 'provider', PROVIDERS),
    attention: chosen(asked, 'attention', ['true']) && true,
    from: start(dayAt(asked, 'from')),
    till: start(dayAt(asked, 'till'), 1),
    order_id: orderAt(asked),
    search: searchOf(asked),
  } as PaymentsListParams);
}

export const refundsQuery = (asked: Asked): RefundsListParams =>
  said({
    state: chosen(asked, 'state', REFUND_STATES),
    by_person: chosen(asked, 'by_person', ['true']) && true,
    order_id: orderAt(asked),
    search: searchOf(asked),
  } as RefundsListParams);

/** Screens count pages from 1, the service from 0. */
export const pageOf = (page: number) => ({ limit: PAGE_SIZE, page: page - 1, count: true });

export const TONES: Record<PaymentState, Tone> = {
  created: 'neutral',
  pending: 'warning',
  authorised: 'info',
  captured: 'success',
  failed: 'error',
  cancelled: 'neutral',
  expired: 'neutral',
  refunded: 'violet',
  unknown: 'error',
};
export const REFUND_TONES: Record<RefundState, Tone> = {
  created: 'warning',
  pending: 'info',
  succeeded: 'success',
  failed: 'error',
  unknown: 'error',
};

export const isOnline = ({ kind }: Pick<Payment, 'kind'>): boolean => kind === 'online';

/** What the provider keeps of it: the last thing that it said of that. */
export const feeOf = ({ conversation }: Payment): PaymentEvent['fee'] =>
  (conversation ?? []).findLast(({ fee }) => fee !== null && fee !== undefined)?.fee;

const UNDER_WAY: readonly RefundState[] = ['created', 'pending', 'unknown'];

/** What has come and neither gone back nor is asked to, tips included. */
export function leftOf({ captured, refunded, refunds }: Payment): string {
  const open = (refunds ?? []).filter(({ state }) => UNDER_WAY.includes(state));
  const asked = open.reduce((sum, one) => sum + hundredths(one.amount) + hundredths(one.tip), 0n);
  return plain(hundredths(captured) - hundredths(refunded) - asked);
}

/** Tip and all of a refund. */
export const wholeOf = ({ amount, tip }: Pick<PaymentRefund, 'amount' | 'tip'>): string =>
  plain(hundredths(amount) + hundredths(tip));

/** Reasons of a provider for which there is something that a guest can do. */
const DECLINES = [
  'not_enough_money',
  'card_data',
  'authentication',
  'limit',
  'suspicious',
  'away',
  'refused',
] as const;
/** Codes of ours: no provider has taken the payment. */
const NOT_BEGUN = ['never_arrived', 'not_started'] as const;

/** Why no money came, as keys of texts: one for the guest, one for the bookkeeper. */
export interface Why {
  guest: string;
  books: string;
}

/** Why nothing came of a payment at a provider; of others a person has said why. */
export function whyOf(payment: Payment): Why | undefined {
  const { state, decline_code: code, decline_text: text } = payment;
  if (!isOnline(payment)) return undefined;
  if (state === 'cancelled' || state === 'expired' || state === 'unknown')
    return { guest: state, books: state };
  if (state !== 'failed') return undefined;
  const own = NOT_BEGUN.find((one) => one === code);
  if (own) return { guest: 'not_begun', books: own };
  return { guest: DECLINES.find((one) => one === text) ?? 'refused', books: code ? 'code' : 'no_code' };
}

/** The service names a fault and what may have come of it: `Unreachable (Unknown) 5013`. */
const FAULT = /^(\w+) \(\w+\)(?: (\S+))?$/;
const FAULTS: Record<string, string> = {
  Credentials: 'credentials',
  NotFound: 'not_found',
  Conflict: 'refused',
  RateLimited: 'too_many',
  Invalid: 'refused',
  Unreachable: 'away',
  Broken: 'broken',
  Protocol: 'broken',
};

/** What went wrong in a call, as the key of a text, and the provider's own code. */
export function faultOf(error: string): { fault?: string; code?: string } {
  const [, name = '', code] = FAULT.exec(error) ?? [];
  if (error === 'the answer is lost') return { fault: 'lost' };
  const fault = FAULTS[name];
  return fault ? { fault, ...(code ? { code } : {}) } : { code: error };
}

/** What a line of the conversation says, as the key of a text. */
export function lineKey({ source, state, call, provider_state }: PaymentEvent, online: boolean): string {
  if (source === 'call') return `call_${call ?? 'other'}_${state}`;
  if (source === 'query') return provider_state === 'not found' ? 'query_not_found' : `query_${state}`;
  if (source === 'callback') return 'callback';
  if (source === 'person' && state === 'created') return online ? 'person_began' : 'person_created';
  return `${source === 'terminal' ? 'terminal' : 'person'}_${state}`;
}
