import {
  paymentPauseBooked,
  paymentPauseEnd,
  paymentPauseGet,
} from '../../generated/client/payments/payments';
import type { BookedSince, OnlinePaymentPause } from '../../generated/model';
import { useCan } from '../../lib/access';
import { ApiError } from '../../lib/http';
import { useForget, useRead } from '../../lib/query';
import { here } from '../../lib/target';

/** What can be told of a pause; `why` is for users of the whole partner alone. */
export interface Paused {
  why: OnlinePaymentPause | undefined;
  /** Undefined while it is read, and without the right to read it. */
  booked: readonly BookedSince[] | undefined;
  /** The providers are being asked, which takes some seconds. */
  asking: boolean;
  /** They may have booked something all the same. */
  failed: boolean;
}

const isForbidden = (error: unknown) => error instanceof ApiError && error.status === 403;

/**
 * Whether online payments wait. Users of one restaurant are not told why; that the providers tell what they have
 * booked since shows them that it is so. What is not open to somebody is not asked for.
 */
export function usePaused(): Paused | undefined {
  const can = useCan();
  const mayKnow = can('payment_method@partner');
  const pause = useRead('paymentPauseGet', ({ signal }) => paymentPauseGet(here()[0], { signal }), {
    enabled: mayKnow,
  });
  const why = pause.data;
  const isHidden = !mayKnow || isForbidden(pause.error);
  const booked = useRead('paymentPauseBooked', ({ signal }) => paymentPauseBooked(...here(), { signal }), {
    enabled: can('all_order') && (why?.paused ?? isHidden),
  });
  if (why ? !why.paused : !booked.data?.length) return undefined;
  return { why, booked: booked.data, asking: booked.isFetching, failed: booked.isError };
}

/** Lets payments go on; what they open on the page is read again. */
export function useEndPause() {
  const forget = useForget();
  return async () => {
    try {
      await paymentPauseEnd(here()[0]);
    } finally {
      // Others may have ended it meanwhile.
      await forget(['payment_pause', 'payment_methods', 'payments', 'refunds']);
    }
  };
}
