import { useQueryClient } from '@tanstack/react-query';
import {
  teyaBegin,
  teyaConnect,
  teyaGet,
  teyaLogout,
  teyaStores,
  teyaTerminals,
  teyaUpdate,
} from '../../generated/client/restaurants/restaurants';
import { readKey, useForget, useRead } from '../../lib/query';
import { here } from '../../lib/target';
import type { TerminalConnect, TerminalConnection } from '../../generated/model';

/** The parameters from the company's page. */
export const CALLBACK_PARAMS = ['code', 'state', 'error'] as const;

const COMPANY = readKey('teyaGet');

/** The connection to the company of card terminals. */
export function useCompany() {
  const client = useQueryClient();
  const forget = useForget();
  const query = useRead(COMPANY, ({ signal }) => teyaGet(...here(), { signal }));
  const shown = async (state: TerminalConnection) => {
    // A request under way may answer with an older state.
    await client.cancelQueries({ queryKey: COMPANY });
    client.setQueryData(COMPANY, state);
    await forget(['teya', 'terminals', 'terminalSchemesList'], [COMPANY]);
  };
  return {
    query,
    /** The page on which somebody signs in; it leads back here. */
    begin: async () => {
      const back = new URL(location.href);
      CALLBACK_PARAMS.forEach((name) => back.searchParams.delete(name));
      return (await teyaBegin(...here(), { redirect_uri: back.href })).url;
    },
    finish: async (brought: TerminalConnect) => shown(await teyaConnect(...here(), brought)),
    choose: async (store_id: string) => shown(await teyaUpdate(...here(), { store_id })),
    leave: async () => {
      await teyaLogout(...here());
      await forget([COMPANY]);
      // One that is still shown would be asked for again, and refused.
      client.removeQueries({ queryKey: readKey('teyaStores'), type: 'inactive' });
      await forget(['terminals', 'terminalSchemesList']);
    },
    stores: (signal: AbortSignal) => teyaStores(...here(), { signal }),
    terminals: (signal: AbortSignal) => teyaTerminals(...here(), { signal }),
  };
}
export type CompanyCalls = ReturnType<typeof useCompany>;
