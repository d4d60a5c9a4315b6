import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { coalesced } from '../../lib/coalesced';
import { useStanding } from '../../lib/hooks';
import { readAnew } from '../../lib/providers/reading';
import { readAsked, readWaiting } from '../order/payments/api';
import { useLiveReload } from '../order/useLiveReload';

const KEY = ['orders', 'open_money'];
const NOTHING = { rows: [], total: 0 };

/** What happens to an order without money being asked or waiting any more, or newly. */
const QUIET = new Set(['created', 'due', 'accepted', 'taken_back', 'prepared', 'recalled']);

/** Money that is to be given back, and payments of which nobody has said what became of them; live. */
export function useOpenMoney() {
  const client = useQueryClient();
  // The board stands first.
  const enabled = useStanding();
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      const [asked, waiting] = await Promise.all([readAsked(signal), readWaiting(signal)]);
      return { asked, waiting };
    },
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const reload = useMemo(() => coalesced(() => readAnew(client, KEY)), [client]);
  useLiveReload(
    () => enabled && reload(),
    ({ change }) => !QUIET.has(change),
  );
  return data ?? { asked: NOTHING, waiting: NOTHING };
}
