import { type RefObject, useLayoutEffect, useRef } from 'react';

/** How long a card that moved ignores taps, which were meant for the card before it. ms */
const SETTLE_MS = 1000;
/** A shorter move counts as none: a tap still hits the same card. px */
const MIN_MOVE_PX = 8;

/** Where a card stands in the document. */
export interface Place {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const covers = (one: Place, other: Place) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** The cards that now stand where another one stood before. */
export function movedCards(before: ReadonlyMap<string, Place>, now: ReadonlyMap<string, Place>): string[] {
  return [...now].flatMap(([id, place]) => {
    const was = before.get(id);
    if (was && Math.abs(was.left - place.left) < MIN_MOVE_PX && Math.abs(was.top - place.top) < MIN_MOVE_PX)
      return [];
    return [...before].some(([other, old]) => other !== id && covers(old, place)) ? [id] : [];
  });
}

/**
 * A card that slides to where another one was takes no tap for a second: it was meant for the other. `cards`
 * changes with what is shown. The keyboard is not concerned, it speaks of the card that has the focus.
 */
export function useSettling(board: RefObject<HTMLElement | null>, cards: unknown): void {
  const before = useRef<ReadonlyMap<string, Place>>(new Map());
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  useLayoutEffect(() => {
    const now = new Map<string, Place>();
    const elements = new Map<string, HTMLElement>();
    for (const card of board.current?.querySelectorAll<HTMLElement>('[data-order]') ?? []) {
      const { left, top, right, bottom } = card.getBoundingClientRect();
      now.set(card.dataset.order!, {
        left: left + scrollX,
        top: top + scrollY,
        right: right + scrollX,
        bottom: bottom + scrollY,
      });
      elements.set(card.dataset.order!, card);
    }
    for (const id of movedCards(before.current, now)) {
      const card = elements.get(id)!;
      clearTimeout(timers.current.get(id));
      card.dataset.settling = 'true';
      timers.current.set(
        id,
        setTimeout(() => delete card.dataset.settling, SETTLE_MS),
      );
    }
    before.current = now;
  }, [board, cards]);
}
