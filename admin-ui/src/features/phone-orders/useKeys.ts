import { useEffect, useRef } from 'react';
import { useHotkey } from '../../lib/hooks';
import { focusAll, focusFirst } from './focus';
import type { PhoneOrder } from './usePhoneOrder';

/** A list that is open with a choice marked in it: Enter takes the choice first. */
const isChoosing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('.ant-select') !== null &&
  target.getAttribute('aria-expanded') === 'true' &&
  target.hasAttribute('aria-activedescendant');

/**
 * Ctrl + Enter (Cmd on a Mac), from everywhere: it comes before the field that has the focus, since selects and
 * calendars take Enter for themselves.
 */
export function useSendKey(send: () => void, enabled: boolean): void {
  const latest = useRef(send);
  latest.current = send;
  useEffect(() => {
    if (!enabled) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      if (isChoosing(event.target)) return;
      event.preventDefault();
      event.stopPropagation();
      // A key that is held down means it once.
      if (!event.repeat) latest.current();
    };
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, [enabled]);
}

interface Keys {
  order: Pick<PhoneOrder, 'form' | 'send'>;
  /** The menu's search, which may not be there yet. */
  onMenu: () => void;
  /** The guest's part may be folded. */
  onGuest: () => void;
  /** No dialog is open over the screen. */
  enabled: boolean;
}

/** The keys of the screen. */
export function useKeys({ order, onMenu, onGuest, enabled }: Keys): void {
  const { draft } = order.form;
  const guest = (path: string) => {
    onGuest();
    setTimeout(() => focusAll(path));
  };
  useSendKey(() => void order.send(), enabled);
  useHotkey('alt+p', () => guest('phone'), enabled);
  useHotkey('alt+a', () => guest('address.street'), enabled && !draft.pickup);
  useHotkey('alt+m', onMenu, enabled);
  useHotkey('alt+c', () => focusFirst(['.taking-quantity input', '#field-cart']), enabled);
  useHotkey('alt+t', () => focusFirst(['#field-expected_at', '#field-later input:checked']), enabled);
  useHotkey(
    'alt+b',
    () => focusFirst(['#field-payment_method_id input:checked', '#field-payment_method_id input']),
    enabled,
  );
}
