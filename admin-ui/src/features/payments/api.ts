import { keepPreviousData } from '@tanstack/react-query';
import { useMemo } from 'react';
import { paymentsGet, paymentsList, refundsList } from '../../generated/client/payments/payments';
import type { PaymentsListParams, RefundsListParams } from '../../generated/model';
import { coalesced } from '../../lib/coalesced';
import { useStanding } from '../../lib/hooks';
import { counted } from '../../lib/http';
import { readKey, useForget, useRead } from '../../lib/query';
import { here } from '../../lib/target';
import { useLiveReload } from '../order/useLiveReload';
import { pageOf } from './model';

/** A page of payments, the newest first. */
export const usePayments = (query: PaymentsListParams, page: number) =>
  useRead(
    readKey('paymentsList', 'page', query, page),
    ({ signal }) =>
      counted((options) => paymentsList(...here(), { ...query, ...pageOf(page) }, options), { signal }),
    { placeholderData: keepPreviousData, staleTime: 0 },
  );

/** A page of refunds, the newest first. */
export const useRefunds = (query: RefundsListParams, page: number) =>
  useRead(
    readKey('refundsList', 'page', query, page),
    ({ signal }) =>
      counted((options) => refundsList(...here(), { ...query, ...pageOf(page) }, options), { signal }),
    { placeholderData: keepPreviousData, staleTime: 0 },
  );

/** How many refunds a person has yet to give back or to let go, once the page stands. */
export const useOpenRefunds = () =>
  useRead(
    readKey('refundsList', 'open'),
    async ({ signal }) => {
      const query = { state: 'created', by_person: true, limit: 1, count: true } as const;
      return (await counted((options) => refundsList(...here(), query, options), { signal })).total;
    },
    { enabled: useStanding(), staleTime: 0 },
  ).data ?? 0;

/** A payment with its refunds and what was said about it. */
export const usePayment = (id: string) =>
  useRead(readKey('paymentsGet', id), ({ signal }) => paymentsGet(...here(), id, { signal }), {
    staleTime: 0,
  });

/** Reads payments and refunds again: after an action, and on what the service tells about orders. */
export function useReload(): () => void {
  const forget = useForget();
  const reload = useMemo(() => coalesced(() => forget(['payments', 'refunds'])), [forget]);
  useLiveReload(reload);
  return () => void reload();
}
