import { useSyncExternalStore } from 'react';
import type { Me } from '../generated/model';
import { session } from './session';

let last: Me | undefined;

/** The signed-in account; only below the shell, which waits for it. (Apart from session.ts, which runs without React.) */
export function useMe(): Me {
  const now = useSyncExternalStore(session.subscribe, session.get);
  // Between the end of the session and the page's going away everything stands still.
  last = now ?? last;
  if (!last) throw new Error('useMe without a session');
  return last;
}
