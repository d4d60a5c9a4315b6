import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  signInProviderDelete,
  signInProviderGet,
  signInProviderProve,
  signInProviderUpdate,
} from '../../generated/client/access/access';
import type { SignInProvider, SignInProviderChange } from '../../generated/model';
import { useRestaurant } from '../../lib/target';

const KEY = ['sign-in-provider'];

/** The partner's provider; null when there is none. */
export function useProvider() {
  const { partner_id } = useRestaurant();
  const client = useQueryClient();
  const put = (provider: SignInProvider | null) => client.setQueryData(KEY, provider);
  const query = useQuery<SignInProvider | null>({
    queryKey: KEY,
    refetchOnWindowFocus: false,
    queryFn: () => signInProviderGet(partner_id),
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
