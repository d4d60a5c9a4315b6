import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/**
 * What had the focus lately, the newest last: a menu's item is gone when the layer that it opened closes, its
 * button is not.
 */
const trail: HTMLElement[] = [];
const LONGEST = 6;
const POPUP = '.ant-dropdown, .ant-select-dropdown, .ant-picker-dropdown, .ant-popover';
if (typeof document !== 'undefined') {
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || target === trail.at(-1)) return;
    trail.push(target);
    if (trail.length > LONGEST) trail.shift();
  });
}

const takes = (element: HTMLElement): boolean =>
  element.isConnected &&
  !element.closest(POPUP) &&
  !element.matches(':disabled') &&
  element.checkVisibility({ visibilityProperty: true });

const FIELDS = 'input, textarea, select, button[role=switch]';
const isField = (element: Element): boolean =>
  element.matches(FIELDS) &&
  !element.matches('[type=hidden], [type=file]') &&
  // A select that is not searched has a read-only input.
  (!element.matches('[readonly]') || element.matches('[role=combobox]'));

/**
 * Gives the focus to the first enabled field of a form, unless a field of the same layer has it. Not on touch
 * screens, where the keyboard would cover half of the form.
 */
export function focusFirstField(form: HTMLElement): void {
  if (matchMedia('(pointer: coarse)').matches) return;
  const now = document.activeElement;
  const layer = form.closest('[role=dialog]') ?? form;
  if (now && isField(now) && layer.contains(now)) return;
  [...form.querySelectorAll<HTMLElement>(FIELDS)]
    .find((field) => isField(field) && takes(field))
    ?.focus({ preventScroll: true });
}

/** The element, or the one that was mounted anew in its place. */
const nowOf = (element: HTMLElement): HTMLElement =>
  element.isConnected ? element : (document.getElementById(element.id) ?? element);

/** Gives the focus to what had it last and still can, else to the page. */
export function refocus(): void {
  const last = trail.map(nowOf).findLast(takes) ?? document.getElementById('main');
  last?.focus({ preventScroll: true });
}

/**
 * Gives the focus to an element where what had it is gone with the page before. A page that nobody has used yet
 * keeps its order from the top.
 */
export function focusIfLost(element: HTMLElement | null): void {
  if (trail.length > 0 && document.activeElement === document.body) element?.focus({ preventScroll: true });
}

/**
 * For a row that can be removed by its own button: the focus then goes to the next row, else to the one before,
 * else to the first button of what the list stands in, else to where it was before.
 */
export function useFocusAfterRow<E extends HTMLElement>(): RefObject<E | null> {
  const ref = useRef<E>(null);
  useLayoutEffect(() => {
    const row = ref.current;
    return () => {
      if (!row?.contains(document.activeElement)) return;
      const near = [row.nextElementSibling, row.previousElementSibling, row.parentElement?.parentElement];
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return;
        const button = near
          .flatMap((one) => (one ? [...one.querySelectorAll<HTMLElement>('button')] : []))
          .find(takes);
        if (button) button.focus({ preventScroll: true });
        else refocus();
      });
    };
  }, []);
  return ref;
}

/**
 * Gives the focus back to what had it when this layer (a drawer, a dialog) was opened, once the layer is
 * gone: antd does so only for layers that stay mounted, and ours stand in the address. Where that is no more:
 * to the link to the layer's address, which is its row in a list, else to the page.
 */
export function useReturnFocus(): void {
  const [{ before, path }] = useState(() => ({
    before: document.activeElement === document.body ? [] : [...trail],
    path: location.pathname,
  }));
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        const main = document.getElementById('main');
        const now = document.activeElement;
        // Another layer has opened, or the next page has put the focus where it belongs.
        if (now !== null && now !== document.body && now !== main && takes(now as HTMLElement)) return;
        const row = [...document.querySelectorAll<HTMLElement>('main a[href]')].find(
          (link) => link.getAttribute('href')?.split('?')[0] === path,
        );
        (before.findLast(takes) ?? row ?? main)?.focus({ preventScroll: true });
      });
    },
    [before, path],
  );
}
