import { type RefObject, useCallback, useRef } from 'react';
import { focusFirstField } from '../ui/focus';

/**
 * For rows (by default `role="group"`) that are children of `ref`, and a button that adds one at their end: what
 * the button does is followed by `added()`, which gives the focus to the first field of the new row.
 */
export function useAddedRow(rows = '[role=group]'): {
  ref: RefObject<HTMLDivElement | null>;
  added: () => void;
} {
  const ref = useRef<HTMLDivElement>(null);
  const added = useCallback(() => {
    // The row is there with the next frame.
    requestAnimationFrame(() => {
      const row = [...(ref.current?.children ?? [])].findLast((child) => child.matches(rows));
      if (row instanceof HTMLElement) focusFirstField(row);
    });
  }, [rows]);
  return { ref, added };
}
