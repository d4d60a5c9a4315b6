import { useSyncExternalStore } from 'react';
import type { Me } from '../generated/model';
import { session } from './session';

/** The signed-in account; only below the shell, which waits for it. (Apart from session.ts, which runs without React.) */
export function useMe(): Me {
  const value = useSyncExternalStore(session.subscribe, session.get);
  if (!value) throw new Error('useMe without a session');
  return value;
}
