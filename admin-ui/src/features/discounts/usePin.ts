import { useEffect, useState } from 'react';

/** Without input for so long the PIN is asked for again. ms */
const IDLE_MS = 5 * 60_000;

export interface HeldPin {
  pin: string | undefined;
  hold: (pin: string) => void;
  drop: () => void;
}

/** The own PIN, held in memory until the page is left, or nobody has touched it for five minutes. */
export function usePin(): HeldPin {
  const [pin, setPin] = useState<string>();
  useEffect(() => {
    if (pin === undefined) return;
    let timer = 0;
    const begin = () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => setPin(undefined), IDLE_MS);
    };
    begin();
    const events = ['pointerdown', 'keydown'] as const;
    for (const event of events) window.addEventListener(event, begin, true);
    return () => {
      clearTimeout(timer);
      for (const event of events) window.removeEventListener(event, begin, true);
    };
  }, [pin]);
  return { pin, hold: setPin, drop: () => setPin(undefined) };
}
