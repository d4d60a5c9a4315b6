import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { standing, whenIdle } from './reach';

/** Below 768 px: menu overlays, tables become cards. */
const NARROW = '(max-width: 767.98px)';

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (notify) => {
      const media = matchMedia(query);
      media.addEventListener('change', notify);
      return () => media.removeEventListener('change', notify);
    },
    () => matchMedia(query).matches,
  );
}

export const useNarrow = (): boolean => useMedia(NARROW);

/** Whether a key press is meant for a field the user types in. */
const isTyping = (event: KeyboardEvent): boolean => {
  const el = event.target as HTMLElement | null;
  return Boolean(
    el &&
    (el.isContentEditable ||
      /^(INPUT|TEXTAREA|SELECT)$/.test(el.tagName) ||
      el.getAttribute('role') === 'combobox'),
  );
};

/**
 * A shortcut such as `ctrl+s` (Cmd on a Mac) or `?`. Single keys are ignored while somebody types.
 * The newest listener of a key wins, so a dialog's goes before the page's.
 */
export function useHotkey(keys: string, run: () => void, enabled = true): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!enabled) return;
    const wanted = keys.toLowerCase().split('+');
    const key = wanted.at(-1)!;
    const modified = wanted.length > 1;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      // On a Mac, Alt makes another letter of the key. AltGr is Ctrl and Alt at once, and writes letters.
      const alt = wanted.includes('alt') && event.altKey && !event.ctrlKey;
      const pressed = event.key.toLowerCase() === key || (alt && event.code === `Key${key.toUpperCase()}`);
      if (!pressed) return;
      const ctrl = wanted.includes('ctrl') && (event.ctrlKey || event.metaKey);
      if (modified ? !ctrl && !alt : event.ctrlKey || event.metaKey || event.altKey || isTyping(event))
        return;
      event.preventDefault();
      // A key that is held down means it once.
      if (!ctrl || !event.repeat) latest.current();
    };
    // capture: a listener added later must not wait behind one that stands on the document
    stack.push(onKey);
    return () => void stack.splice(stack.indexOf(onKey), 1);
  }, [keys, enabled]);
}

const stack: ((event: KeyboardEvent) => void)[] = [];
if (typeof document !== 'undefined') {
  document.addEventListener('keydown', (event) => {
    for (const listener of [...stack].reverse()) {
      listener(event);
      if (event.defaultPrevented) return;
    }
  });
}

/** The value, but not before it has been still for `ms`. */
export function useDebounced<T>(value: T, ms: number): T {
  const [still, setStill] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setStill(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return still;
}

/** True once `ms` have passed: skeletons must not flash. */
export function useAfter(ms: number): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return passed;
}

/** The time, renewed each `ms`, for ages and countdowns. */
export function useNow(ms: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), ms);
    return () => clearInterval(timer);
  }, [ms]);
  return now;
}

/** Whether the page has stood once since it was loaded. */
export function useStanding(): boolean {
  const stands = useSyncExternalStore(standing.subscribe, standing.get);
  useEffect(() => {
    if (!standing.get()) whenIdle(() => undefined);
  }, []);
  return stands;
}
