import { keepPreviousData } from '@tanstack/react-query';
import {
  getPaymentReconciliationsWorkbookUrl,
  paymentReconciliationLinesExplain,
  paymentReconciliationsCreate,
  paymentReconciliationsGet,
  paymentReconciliationsLines,
  paymentReconciliationsList,
} from '../../../generated/client/payments/payments';
import type { PaymentReconciliation } from '../../../generated/model';
import { counted, requestFile } from '../../../lib/http';
import { readKey, useForget, useRead } from '../../../lib/query';
import { here } from '../../../lib/target';
import { pageOf } from '../model';

/** How often a comparison that is under way is read. ms */
const WATCH_MS = 2500;

export const isGoingOn = ({ state }: Pick<PaymentReconciliation, 'state'>): boolean =>
  state === 'waiting' || state === 'running';

/** A page of comparisons, the newest first. */
export const useComparisons = (page: number) =>
  useRead(
    // Under the name that the tray reads by, and so read again with it.
    readKey('paymentReconciliationsList', 'page', page),
    ({ signal }) =>
      counted((options) => paymentReconciliationsList(...here(), pageOf(page), options), { signal }),
    {
      placeholderData: keepPreviousData,
      staleTime: 0,
      refetchInterval: ({ state }) => (state.data?.rows.some(isGoingOn) ? WATCH_MS : false),
    },
  );

export const useComparison = (id: string) =>
  useRead(
    readKey('paymentReconciliationsGet', id),
    ({ signal }) => paymentReconciliationsGet(...here(), id, { signal }),
    {
      staleTime: 0,
      refetchInterval: ({ state }) => (state.data && isGoingOn(state.data) ? WATCH_MS : false),
    },
  );

/** A page of a comparison's lines, what differs first. */
export const useLines = (id: string, differences: boolean, page: number) =>
  useRead(
    readKey('paymentReconciliationsLines', id, differences, page),
    ({ signal }) =>
      counted(
        (options) =>
          paymentReconciliationsLines(
            ...here(),
            id,
            { ...pageOf(page), ...(differences ? { differences } : {}) },
            options,
          ),
        { signal },
      ),
    { placeholderData: keepPreviousData, staleTime: 0 },
  );

/** What changes comparisons; each reads them again, in the tray too. */
export function useComparing() {
  const forget = useForget();
  const reload = () => forget(['payment_reconciliations']);
  return {
    /** Begins to compare a business day, or takes the comparison of it that is under way. */
    compare: async (day: string) => {
      await paymentReconciliationsCreate(...here(), { day });
      await reload();
    },
    explain: async (line: string, reason: string) => {
      await paymentReconciliationLinesExplain(...here(), line, { reason });
      await reload();
    },
  };
}

/** An xlsx file with what came and went in these business days, in a language of the interface. */
export const readWorkbook = (from: string, till: string, language: string): Promise<Blob> =>
  requestFile(getPaymentReconciliationsWorkbookUrl(...here(), { from, till }), {
    'Accept-Language': language,
  });
