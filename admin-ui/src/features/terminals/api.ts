import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useInvalidate } from '@refinedev/core';
import type {
  StoreTerminal,
  TerminalConnect,
  TerminalConnection,
  TerminalRedirect,
  TerminalStore,
} from '../../generated/model';
import { request } from '../../lib/http';
import { fillPath } from '../../lib/target';

/** What the company's page hands back in the address. */
export const BROUGHT = ['code', 'state', 'error'] as const;

/** The connection to the company of card terminals. */
export function useCompany() {
  const client = useQueryClient();
  const invalidate = useInvalidate();
  const base = fillPath('/admin/partners/{partner_id}/restaurants/{restaurant_id}/teya');
  const query = useQuery({
    queryKey: ['teya'],
    queryFn: async ({ signal }) => (await request<TerminalConnection>(base, { signal })).data,
  });
  const shown = async (state: TerminalConnection) => {
    // A reading that is under way may be older.
    await client.cancelQueries({ queryKey: ['teya'], exact: true });
    client.setQueryData(['teya'], state);
    await Promise.all([
      client.invalidateQueries({ queryKey: ['teya', 'stores'] }),
      client.invalidateQueries({ queryKey: ['teya', 'terminals'] }),
      client.invalidateQueries({ queryKey: ['terminals'] }),
      invalidate({ resource: 'terminal_schemes', invalidates: ['list'] }),
    ]);
  };
  return {
    query,
    /** The page on which somebody signs in; it leads back here. */
    begin: async () => {
      const here = new URL(location.href);
      BROUGHT.forEach((name) => here.searchParams.delete(name));
      return (await request<TerminalRedirect>(`${base}/oauth?redirect_uri=${encodeURIComponent(here.href)}`))
        .data.url;
    },
    finish: async (brought: TerminalConnect) =>
      shown((await request<TerminalConnection>(`${base}/oauth`, { method: 'PUT', body: brought })).data),
    choose: async (store_id: string) =>
      shown((await request<TerminalConnection>(base, { method: 'PUT', body: { store_id } })).data),
    leave: async () => {
      await request(`${base}/logout`, { method: 'DELETE' });
      client.removeQueries({ queryKey: ['teya', 'stores'] });
      await client.invalidateQueries({ queryKey: ['teya'], exact: true });
      await Promise.all([
        client.invalidateQueries({ queryKey: ['terminals'] }),
        invalidate({ resource: 'terminal_schemes', invalidates: ['list'] }),
      ]);
    },
    stores: async (signal: AbortSignal) =>
      (await request<TerminalStore[]>(`${base}/stores`, { signal })).data,
    terminals: async (signal: AbortSignal) =>
      (await request<StoreTerminal[]>(`${base}/terminals`, { signal })).data,
  };
}
export type CompanyCalls = ReturnType<typeof useCompany>;
