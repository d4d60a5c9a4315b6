import { type KeyboardEvent, type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';

/** So long a finger rests on what it asks about. ms */
const LONG_MS = 500;
/** A finger that has moved so far scrolls. px */
const MOVED = 10;

/**
 * What adds something: a press adds it, a long press and Shift + Enter (or Shift and a click) ask for its options
 * first.
 */
export function usePress(onPress: (ask: boolean) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const start = useRef({ x: 0, y: 0 });
  // The click that ends a long press means nothing more.
  const held = useRef(false);
  const latest = useRef(onPress);
  latest.current = onPress;
  const stop = () => clearTimeout(timer.current);
  useEffect(() => stop, []);
  return {
    onPointerDown: ({ clientX, clientY, button }: PointerEvent) => {
      held.current = false;
      stop();
      if (button !== 0) return;
      start.current = { x: clientX, y: clientY };
      timer.current = setTimeout(() => {
        held.current = true;
        latest.current(true);
      }, LONG_MS);
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - start.current.x, clientY - start.current.y) > MOVED) stop();
    },
    onPointerUp: stop,
    onPointerLeave: stop,
    onPointerCancel: stop,
    // A finger's long press opens the browser's menu besides.
    onContextMenu: (event: MouseEvent) => {
      if (held.current || matchMedia('(pointer: coarse)').matches) event.preventDefault();
    },
    onKeyDown: (event: KeyboardEvent) => {
      held.current = false;
      if (event.key !== 'Enter' || !event.shiftKey) return;
      event.preventDefault();
      if (!event.repeat) latest.current(true);
    },
    onClick: (event: MouseEvent) => {
      if (!held.current) latest.current(event.shiftKey);
      held.current = false;
    },
  };
}
