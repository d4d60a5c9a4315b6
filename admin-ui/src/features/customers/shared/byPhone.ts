import { shadowCustomersByPhone } from '../../../generated/client/people/people';
import type { ShadowCustomerByPhone } from '../../../generated/model';
import { ApiError, isMissing } from '../../../lib/http';
import { readKey, useRead } from '../../../lib/query';
import { here } from '../../../lib/target';

/** A number that is long enough to be somebody's. Whether it is one the service says, which counts attempts. */
export const isWholeNumber = (typed: string): boolean =>
  /^\+?[\d\s()/.-]+$/.test(typed.trim()) && typed.replace(/\D/g, '').length >= 8;

/**
 * Who calls, by the whole number, with addresses and last orders; null when nobody has it, and `no_number` for what is
 * no whole number, which may be called and identifies nobody. It needs no PIN, but each
 * search counts against a limit: it is made when somebody asks for it, not while the number is typed.
 */
export const useCustomerByPhone = (phone: string | undefined) =>
  useRead<ShadowCustomerByPhone | 'no_number' | null>(
    readKey('shadowCustomersByPhone', phone),
    async () => {
      try {
        return await shadowCustomersByPhone(...here(), { phone: phone! });
      } catch (failure) {
        if (isMissing(failure)) return null;
        if (failure instanceof ApiError && failure.status === 422) return 'no_number';
        throw failure;
      }
    },
    {
      enabled: phone !== undefined,
      // Personal data: nothing of it outlives what shows it.
      gcTime: 0,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
  );
