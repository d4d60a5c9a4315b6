import { useEffect, useRef } from 'react';
import { useLiveEvent } from '../../../lib/live';
import { useForget } from '../../../lib/query';
import { quietFor } from '../../../lib/underWay';
import { CATALOGUE } from './api';

/** A save of one's own may move what is shown: so long after the last answer its address has followed. ms */
const SETTLED_MS = 250;

/**
 * Reads what is shown of the catalogue again when somebody else has changed it, after a cut, and each 15 s while the
 * connection is down. Rows keep their place, and forms what was typed into them.
 */
export function useLiveCatalogue(): void {
  const forget = useForget();
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  const again = () => {
    clearTimeout(waiting.current);
    if (quietFor() < SETTLED_MS) waiting.current = setTimeout(again, SETTLED_MS);
    else void forget(CATALOGUE);
  };
  useLiveEvent('TASK_CATALOGUE_RELOAD', again);
  useLiveEvent('TASK_RELOAD', again);
  useLiveEvent('poll', again);
  useLiveEvent('live', ({ first }) => {
    if (!first) again();
  });
}
