import { useEffect } from 'react';

/** From one title to the other. ms */
export const FLASH_MS = 600;

/**
 * The tab's title alternates with `text`. With reduced motion the text is shown without flashing. The page's
 * own title comes back at the end, also when it changed meanwhile.
 */
export function useTitleFlash(text: string | undefined): void {
  useEffect(() => {
    if (!text) return;
    let own = document.title;
    const turn = () => {
      if (document.title === text) {
        document.title = own;
      } else {
        own = document.title;
        document.title = text;
      }
    };
    turn();
    const timer = matchMedia('(prefers-reduced-motion: reduce)').matches
      ? undefined
      : setInterval(turn, FLASH_MS);
    return () => {
      clearInterval(timer);
      if (document.title === text) document.title = own;
    };
  }, [text]);
}
