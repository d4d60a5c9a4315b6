import { useSyncExternalStore } from 'react';
import type { Me } from '../generated/model';
import { session } from './session';

/**
 * The signed-in account; only below the shell, which waits for it. (Apart from session.ts, which runs without
 * React.)
 */
export function useMe(): Me {
  // Between the end of the session and the page's going away everything stands still.
  const me = useSyncExternalStore(session.subscribe, session.latest);
  if (!me) throw new Error('useMe without a session');
  return me;
}
