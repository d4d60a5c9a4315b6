import { useEffect } from 'react';

/**
 * Keeps the screen on while the page is shown. Browsers take the lock away from hidden pages, so it is
 * requested again.
 */
export function useWakeLock(): void {
  useEffect(() => {
    if (!('wakeLock' in navigator)) return;
    let lock: WakeLockSentinel | undefined;
    let asking = false;
    let ended = false;
    const ask = async () => {
      if (asking || document.visibilityState !== 'visible' || (lock && !lock.released)) return;
      asking = true;
      // Refused on an empty battery, for example: then the screen sleeps as it would anyway.
      lock = await navigator.wakeLock.request('screen').catch(() => undefined);
      asking = false;
      if (ended) void lock?.release();
    };
    void ask();
    document.addEventListener('visibilitychange', ask);
    return () => {
      ended = true;
      document.removeEventListener('visibilitychange', ask);
      void lock?.release();
    };
  }, []);
}
