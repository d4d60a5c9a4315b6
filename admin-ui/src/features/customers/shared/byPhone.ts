import { useQuery } from '@tanstack/react-query';
import { shadowCustomersByPhone } from '../../../generated/client/people/people';
import type { ShadowCustomerByPhone } from '../../../generated/model';
import { isMissing } from '../../../lib/http';
import { here } from '../../../lib/target';

/** A number that is long enough to be somebody's: the service finds whole ones only, and counts attempts. */
export const isWholeNumber = (typed: string): boolean =>
  /^\+?[\d\s()/.-]+$/.test(typed.trim()) && typed.replace(/\D/g, '').length >= 8;

/**
 * Who calls, by the whole number, with addresses and last orders; null when nobody has it. It needs no PIN, but each
 * search counts against a limit: it is made when somebody asks for it, not while the number is typed.
 */
export const useCustomerByPhone = (phone: string | undefined) =>
  useQuery<ShadowCustomerByPhone | null>({
    queryKey: ['customer_by_phone', phone],
    queryFn: async () => {
      try {
        return await shadowCustomersByPhone(...here(), { phone: phone! });
      } catch (failure) {
        if (isMissing(failure)) return null;
        throw failure;
      }
    },
    enabled: phone !== undefined,
    // Personal data: nothing of it outlives what shows it.
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
