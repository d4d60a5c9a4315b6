import { type RefObject, useLayoutEffect } from 'react';

/** Height of a track in px, as in fresh.css. */
const TRACK_PX = 4;

/**
 * Cards of different heights without holes: each takes as many thin rows of the grid as it is high, in the
 * column of its turn. Reading order, focus order and the document's order stay one. Until CSS can do it by
 * itself. `cards` changes with the cards of the list.
 */
export function useMasonry(list: RefObject<HTMLElement | null>, cards: string): void {
  useLayoutEffect(() => {
    const grid = list.current;
    if (!grid) return;
    const place = () => {
      const items = [...grid.children] as HTMLElement[];
      // Cards that stand side by side would keep their columns where there is no more room for them.
      for (const item of items) item.style.gridArea = 'auto';
      const style = getComputedStyle(grid);
      const columns = Math.max(1, style.gridTemplateColumns.split(' ').length);
      const gap = Number.parseFloat(style.columnGap) || 0;
      // Read all, then write all: one layout.
      const heights = items.map((item) => (item.firstElementChild as HTMLElement).offsetHeight);
      const filled = Array.from({ length: columns }, () => 0);
      items.forEach((item, i) => {
        const column = i % columns;
        const tracks = Math.ceil((heights[i]! + gap) / TRACK_PX);
        item.style.gridColumn = String(column + 1);
        item.style.gridRow = `${filled[column]! + 1} / span ${tracks}`;
        filled[column] = filled[column]! + tracks;
      });
    };
    place();
    const observer = new ResizeObserver(place);
    observer.observe(grid);
    for (const item of grid.children) if (item.firstElementChild) observer.observe(item.firstElementChild);
    return () => observer.disconnect();
  }, [list, cards]);
}
