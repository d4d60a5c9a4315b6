import { useQueryClient } from '@tanstack/react-query';
import {
  signInProviderDelete,
  signInProviderGet,
  signInProviderProve,
  signInProviderUpdate,
  signInRulesGet,
  signInRulesUpdate,
} from '../../generated/client/access/access';
import type {
  SignInProvider,
  SignInProviderChange,
  SignInRules,
  SignInRulesChange,
} from '../../generated/model';
import { readKey, useRead } from '../../lib/query';
import { useRestaurant } from '../../lib/target';

const KEY = readKey('signInProviderGet');

/** The partner's provider; null when there is none. */
export function useProvider() {
  const { partner_id } = useRestaurant();
  const client = useQueryClient();
  const put = (provider: SignInProvider | null) => client.setQueryData(KEY, provider);
  const query = useRead<SignInProvider | null>(KEY, () => signInProviderGet(partner_id), {
    refetchOnWindowFocus: false,
  });
  return {
    query,
    put,
    save: async (body: SignInProviderChange) => {
      const saved = await signInProviderUpdate(partner_id, body);
      put(saved);
      return saved;
    },
    remove: async () => {
      await signInProviderDelete(partner_id);
      put(null);
    },
    prove: async (domain: string) => put(await signInProviderProve(partner_id, { domain })),
  };
}

const RULES = readKey('signInRulesGet');

/** The partner's rules of passwords and idle sessions. */
export function useSignInRules() {
  const { partner_id } = useRestaurant();
  const client = useQueryClient();
  const put = (rules: SignInRules) => client.setQueryData(RULES, rules);
  const query = useRead<SignInRules>(RULES, () => signInRulesGet(partner_id), {
    refetchOnWindowFocus: false,
  });
  return {
    query,
    put,
    save: async (body: SignInRulesChange) => {
      const saved = await signInRulesUpdate(partner_id, body);
      put(saved);
      return saved;
    },
  };
}
