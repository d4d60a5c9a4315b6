import { type RefObject, useCallback, useEffect, useRef } from 'react';
import type { OrderRow } from '../order/model';

type Arrow = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight';
type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;

/**
 * Which card an arrow leads to: left and right in reading order, up and down to the nearest one above or
 * below.
 */
export function nextCard(boxes: readonly Box[], from: number, arrow: Arrow): number | undefined {
  if (arrow === 'ArrowLeft') return from > 0 ? from - 1 : undefined;
  if (arrow === 'ArrowRight') return from < boxes.length - 1 ? from + 1 : undefined;
  const here = boxes[from];
  if (!here) return undefined;
  const middle = (box: Box) => (box.left + box.right) / 2;
  let best: { index: number; away: number } | undefined;
  boxes.forEach((box, index) => {
    const gap = arrow === 'ArrowDown' ? box.top - here.bottom : here.top - box.bottom;
    if (gap < 0) return;
    // A row further weighs more than any column.
    const away = gap * 10 + Math.abs(middle(box) - middle(here));
    if (!best || away < best.away) best = { index, away };
  });
  return best?.index;
}

interface CardKeys {
  open: (order: OrderRow) => void;
  accept: (order: OrderRow, choice?: number) => void;
  archive: (order: OrderRow) => void;
  change: (order: OrderRow) => void;
  print: (order: OrderRow) => void;
}

/** Keys of the board; single letters only where the person has not switched them off. */
export function useCardKeys(
  board: RefObject<HTMLElement | null>,
  find: (id: string) => OrderRow | undefined,
  keys: CardKeys,
  letters: boolean,
) {
  return useCallback(
    (event: React.KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target as HTMLElement;
      const card = target.closest<HTMLElement>('[data-order]');
      // A menu or dialog of the card is drawn elsewhere, but React's events come through here.
      if (!card || !board.current?.contains(card) || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
      const order = find(card.dataset.order!);
      if (!order) return;
      const cards = [...board.current.querySelectorAll<HTMLElement>('[data-order]')];
      const act = run(event.key, order);
      if (act) {
        event.preventDefault();
        act();
      }

      function run(key: string, at: OrderRow): (() => void) | undefined {
        if (key.startsWith('Arrow')) {
          const to = nextCard(
            cards.map((c) => c.getBoundingClientRect()),
            cards.indexOf(card!),
            key as Arrow,
          );
          return to === undefined ? undefined : () => cards[to]!.focus();
        }
        if (key === 'Enter') return target === card ? () => keys.open(at) : undefined;
        if (!letters) return undefined;
        const letter = key.toLowerCase();
        if (letter === 'a') return () => keys.accept(at);
        if (letter === 'r') return () => keys.archive(at);
        if (letter === 'm') return () => keys.change(at);
        if (letter === 'p') return () => keys.print(at);
        return /^[1-5]$/.test(letter) ? () => keys.accept(at, Number(letter) - 1) : undefined;
      }
    },
    [board, find, keys, letters],
  );
}

/**
 * The focus follows the work: after a card went away, the card that was named has it once `cards` have changed.
 */
export function useCardFocus(board: RefObject<HTMLElement | null>, cards: unknown): (id: string) => void {
  const next = useRef<string>(undefined);
  useEffect(() => {
    const id = next.current;
    const card = id && board.current?.querySelector<HTMLElement>(`[data-order="${CSS.escape(id)}"]`);
    if (!card) return;
    next.current = undefined;
    card.focus({ preventScroll: false });
  }, [board, cards]);
  return useCallback((id: string) => {
    next.current = id;
  }, []);
}
