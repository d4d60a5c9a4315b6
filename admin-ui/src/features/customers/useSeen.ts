import { type RefObject, useEffect, useRef, useState } from 'react';

/** Whether an element has come near the window yet: what costs a call is read only then. */
export function useSeen(): { ref: RefObject<HTMLDivElement | null>; seen: boolean } {
  const ref = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (!ref.current || seen) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setSeen(true);
      },
      { rootMargin: '200px' },
    );
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [seen]);
  return { ref, seen };
}
