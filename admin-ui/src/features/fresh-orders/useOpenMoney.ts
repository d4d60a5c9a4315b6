import { keepPreviousData } from '@tanstack/react-query';
import { useMemo } from 'react';
import { coalesced } from '../../lib/coalesced';
import { useStanding } from '../../lib/hooks';
import { readKey, useForget, useRead } from '../../lib/query';
import { readAsked, readPaying, readWaiting } from '../order/payments/api';
import { useLiveReload } from '../order/useLiveReload';

const KEY = readKey('paymentsList', 'open');
const NOTHING = { rows: [], total: 0 };

/** What happens to an order without money being asked or waiting any more, or newly. */
const QUIET = new Set(['created', 'due', 'accepted', 'taken_back', 'prepared', 'recalled']);

/** Money that is to be given back, payments that wait for a person, and how many guests pay online now; live. */
export function useOpenMoney() {
  const forget = useForget();
  // The board stands first.
  const enabled = useStanding();
  const { data } = useRead(
    KEY,
    async ({ signal }) => {
      const [asked, waiting, paying] = await Promise.all([
        readAsked(signal),
        readWaiting(signal),
        readPaying(signal),
      ]);
      return { asked, waiting, paying };
    },
    {
      enabled,
      placeholderData: keepPreviousData,
      staleTime: 0,
    },
  );
  const reload = useMemo(() => coalesced(() => forget([KEY])), [forget]);
  useLiveReload(
    () => enabled && reload(),
    ({ change }) => !QUIET.has(change),
  );
  return data ?? { asked: NOTHING, waiting: NOTHING, paying: 0 };
}
