import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { bell, type BellState } from './bell';
import { BellSchedule } from './schedule';

export const useBellState = (): BellState => useSyncExternalStore(bell.state.subscribe, bell.state.get);

const NO_ORDERS: ReadonlySet<string> = new Set();

/**
 * Rings while orders wait. Of several tabs of one browser for the same restaurant one rings: who holds the
 * lock, and only a tab that may sound asks for it. (Locks exist in secure contexts; elsewhere each tab
 * rings.)
 */
export function useBell({
  waiting,
  on,
  volume,
  restaurant,
}: {
  waiting: ReadonlySet<string>;
  on: boolean;
  volume: number;
  restaurant: string;
}): void {
  const state = useBellState();
  const loudness = useRef(volume);
  loudness.current = volume;
  const schedule = useMemo(() => new BellSchedule(() => bell.ring(loudness.current)), []);

  useEffect(() => {
    if (on) bell.start();
  }, [on]);

  const wanted = on && state === 'ready' && waiting.size > 0;
  const mine = useLock(`pult-bell-${restaurant}`, wanted);
  useEffect(() => schedule.update(wanted && mine ? waiting : NO_ORDERS), [schedule, wanted, mine, waiting]);
  useEffect(() => () => schedule.stop(), [schedule]);
}

/** True while this tab holds the lock. */
function useLock(name: string, wanted: boolean): boolean {
  const [mine, setMine] = useState(false);
  useEffect(() => {
    if (!wanted) return;
    if (!navigator.locks) {
      setMine(true);
      return () => setMine(false);
    }
    const given = new AbortController();
    let release: () => void = () => undefined;
    navigator.locks
      .request(name, { signal: given.signal }, () => {
        setMine(true);
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      })
      .catch(() => undefined);
    return () => {
      given.abort();
      release();
      setMine(false);
    };
  }, [name, wanted]);
  return mine;
}
