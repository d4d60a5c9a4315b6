import { type RefCallback, useCallback, useState } from 'react';
import { flushSync } from 'react-dom';

/** Rows shown at first, and added whenever the end comes near. */
const STEP = 100;
/** How far below the window the end is near. */
const ROOT_MARGIN = '1500px';

/**
 * A long list grows as one walks down it: two thousand rows at once would take seconds to show, and each
 * change of one as long again. `end` stands below the last row that is shown.
 */
export function useGrowing<T>(rows: readonly T[]): {
  shown: readonly T[];
  end: RefCallback<HTMLElement>;
  showAll: () => void;
} {
  const [limit, setLimit] = useState(STEP);
  const end = useCallback<RefCallback<HTMLElement>>((element) => {
    if (!element) return;
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && setLimit((old) => old + STEP),
      { rootMargin: ROOT_MARGIN },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return {
    shown: rows.length > limit ? rows.slice(0, limit) : rows,
    end,
    showAll: () => flushSync(() => setLimit(rows.length)),
  };
}
