import {
  paymentsCancel,
  paymentsConfirm,
  paymentsCreate,
  paymentsList,
  refundsConfirm,
  refundsCreate,
  refundsList,
  refundsSend,
} from '../../../generated/client/payments/payments';
import {
  paymentMethodsList,
  paymentMethodsSettings,
} from '../../../generated/client/restaurants/restaurants';
import type {
  NewPayment,
  NewRefund,
  Payment,
  PaymentConfirmation,
  PaymentRefund,
  RestaurantPaymentMethod,
} from '../../../generated/model';
import { useCan } from '../../../lib/access';
import { useFormat } from '../../../lib/format';
import { counted, type Counted } from '../../../lib/http';
import { useRead } from '../../../lib/query';
import { here } from '../../../lib/target';
import { pinned } from '../api';

export type Method = RestaurantPaymentMethod;

/** @throws ApiError PAYMENT_ABOVE_DUE with `due` and `waiting`, POINTS_NOT_ENOUGH, ORDER_STATE_CHANGED. */
export const pay = (order: string, body: NewPayment, key: string): Promise<Payment> =>
  paymentsCreate(...here(), order, body, { 'Idempotency-Key': key });

/** @throws ApiError PAYMENT_STATE_CHANGED when somebody else has said so already; PIN_INVALID, of one that is paid online. */
export const confirmPayment = (id: string, body: PaymentConfirmation, pin?: string): Promise<Payment> =>
  paymentsConfirm(...here(), id, body, undefined, pinned(pin));

/** @throws ApiError PAYMENT_STATE_CHANGED. */
export const cancelPayment = (id: string, reason: string | undefined): Promise<Payment> =>
  paymentsCancel(...here(), id, reason ? { reason } : {});

/** @throws ApiError REFUND_ABOVE_PAID with `left` and `left_tip`, PIN_INVALID, PIN_REQUIRED. */
export const refund = (
  payment: string,
  body: NewRefund,
  key: string,
  pin: string | undefined,
): Promise<PaymentRefund> =>
  refundsCreate(...here(), payment, body, undefined, { 'Idempotency-Key': key, ...pinned(pin) });

/** @throws ApiError REFUND_STATE_CHANGED. */
export const confirmRefund = (
  id: string,
  done: boolean,
  reason: string | undefined,
): Promise<PaymentRefund> => refundsConfirm(...here(), id, { done, ...(reason ? { reason } : {}) });

/** Lets money go back that waited for that. @throws ApiError REFUND_STATE_CHANGED, PIN_INVALID, PIN_REQUIRED. */
export const sendRefund = (id: string, pin: string | undefined): Promise<PaymentRefund> =>
  refundsSend(...here(), id, undefined, pinned(pin));

/** So many of what is open are shown above the board. */
const OPEN_ROWS = 5;

/** Payments of which nobody has said what became of them, the newest ones. */
export const readWaiting = (signal: AbortSignal): Promise<Counted<Payment>> =>
  counted(
    (options) =>
      paymentsList(...here(), { state: 'pending', kind: 'by_hand', limit: OPEN_ROWS, count: true }, options),
    { signal },
  );

/** How many guests are on a provider's page now. */
export const readPaying = async (signal: AbortSignal): Promise<number> => {
  const { total } = await counted(
    (options) =>
      paymentsList(...here(), { state: 'pending', kind: 'online', limit: 1, count: true }, options),
    { signal },
  );
  return total;
};

/** Money that somebody has yet to give back, or to let go; what a provider gives back needs no person. */
export const readAsked = (signal: AbortSignal): Promise<Counted<PaymentRefund>> =>
  counted(
    (options) =>
      refundsList(...here(), { state: 'created', by_person: true, limit: OPEN_ROWS, count: true }, options),
    {
      signal,
    },
  );

/** Payment methods change rarely. ms */
const METHODS_MS = 60_000;

/** All payment methods, with what the restaurant takes. */
export const useMethods = (wanted: boolean) =>
  useRead('paymentMethodsList', ({ signal }) => paymentMethodsList(...here(), {}, { signal }), {
    enabled: wanted,
    staleTime: METHODS_MS,
  });

/** The name of a method by its key, in the interface's language; nothing until the names are there. */
export function useMethodNames(wanted: boolean): (key: string | null | undefined) => string {
  const { language } = useFormat();
  const { data } = useMethods(wanted);
  return (key) => {
    const method = data?.find(({ payment_key }) => payment_key === key);
    return method ? (language === 'en' ? method.name_en : method.name) : '';
  };
}

/** Forints for one euro; undefined for who may not read the settings of payments. */
export function useEuroRate(wanted: boolean): number | undefined {
  const can = useCan();
  const { data } = useRead(
    'paymentMethodsSettings',
    ({ signal }) => paymentMethodsSettings(...here(), { signal }),
    {
      enabled: wanted && can('payment_method'),
      staleTime: METHODS_MS,
    },
  );
  return data?.eur_huf_rate;
}
