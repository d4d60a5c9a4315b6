import { useEffect, useState, useSyncExternalStore } from 'react';
import { PinMemory } from './memory';

export interface HeldPin {
  pin: string | undefined;
  hold: (pin: string) => void;
  drop: () => void;
}

const INPUT = ['pointerdown', 'keydown', 'wheel'] as const;

/** The own PIN, held in memory until the page is left, or nobody has touched it for five minutes. */
export function usePin(): HeldPin {
  const [memory] = useState(() => new PinMemory());
  const pin = useSyncExternalStore(memory.subscribe, memory.get);
  useEffect(() => {
    const options = { capture: true, passive: true };
    for (const event of INPUT) window.addEventListener(event, memory.touch, options);
    return () => {
      for (const event of INPUT) window.removeEventListener(event, memory.touch, options);
      memory.drop();
    };
  }, [memory]);
  return { pin, hold: memory.hold, drop: memory.drop };
}
