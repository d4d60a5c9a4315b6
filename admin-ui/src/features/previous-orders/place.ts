import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** Where a list was left: how far down, and at which row. */
interface Place {
  top: number;
  row?: string;
}

/** By the step of the browser's history; gone with the page. */
const places = new Map<string, Place>();
const MOST = 50;

const linkOf = (list: HTMLElement, row: string): HTMLElement | null =>
  list.querySelector<HTMLElement>(`.row-link[href$="/${CSS.escape(row)}"]`);

/**
 * Who comes back to a list is where it was left, with the row that was opened in focus. `ready` once the rows are
 * there.
 */
export function usePlace(list: RefObject<HTMLElement | null>, ready: boolean): (row: string) => void {
  const { key } = useLocation();
  const step = useRef(key);
  step.current = key;
  const note = useCallback((change: Partial<Place>) => {
    const known = places.get(step.current) ?? { top: 0 };
    places.delete(step.current);
    places.set(step.current, { ...known, ...change });
    if (places.size > MOST) places.delete(places.keys().next().value!);
  }, []);
  const back = useRef(places.get(key));
  useEffect(() => {
    const place = back.current;
    if (!ready || !place) return;
    back.current = undefined;
    // A screen that opens begins at its top, and with its heading; both come first.
    const frame = requestAnimationFrame(() => {
      scrollTo(0, place.top);
      if (place.row && list.current) linkOf(list.current, place.row)?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [ready, list]);
  // Before the rows go, and the page with them becomes short.
  useLayoutEffect(() => {
    const scrolled = () => {
      if (!back.current) note({ top: scrollY });
    };
    const focused = ({ target }: FocusEvent) => {
      const link = (target as HTMLElement).closest?.('.row-link');
      const row = link && list.current?.contains(link) && link.getAttribute('href')?.split('/').at(-1);
      if (row) note({ row });
    };
    addEventListener('scroll', scrolled, { passive: true });
    document.addEventListener('focusin', focused);
    return () => {
      removeEventListener('scroll', scrolled);
      document.removeEventListener('focusin', focused);
    };
  }, [list, note]);
  return useCallback((row: string) => note({ row }), [note]);
}
