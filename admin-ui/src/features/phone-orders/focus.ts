import { fieldId, focusNow } from '../../lib/form/fieldState';
import { type PhoneDraft, validate } from './draft';

/** The button that sends. */
export const SEND = '.phone-send-line .ant-btn-primary';

/** A finger, and a keyboard on the screen. */
export const isTouch = () => matchMedia('(pointer: coarse)').matches;

/** Puts the focus on the first of these that is there and can have it. */
export function focusFirst(selectors: readonly string[]): boolean {
  const found = selectors
    .map((one) => document.querySelector<HTMLElement>(one))
    .find((one) => one !== null && !one.matches(':disabled'));
  found?.scrollIntoView({ block: 'center' });
  found?.focus({ preventScroll: true });
  return found !== undefined;
}

/** Puts the focus on what is to be said next: the first that is missing, in the end the button that sends. */
export function focusNext(draft: PhoneDraft): void {
  // A keyboard that opens by itself would cover the screen.
  if (isTouch()) return;
  const [missing] = Object.keys(validate(draft));
  // Known addresses are chosen with one press.
  const known = missing?.startsWith('address.') && focusFirst(['.phone-addresses button']);
  if (known || (missing && focusFirst([`[id="${fieldId(missing)}"]`]))) return;
  focusFirst([SEND]);
}

/** The same once what had the focus is gone. */
export const focusNextSoon = (read: () => PhoneDraft): void => {
  setTimeout(() => focusNext(read()), 60);
};

/** What lost the focus with what had it goes on there. */
export const focusIfGone = (read: () => PhoneDraft): void => {
  if (document.activeElement === document.body) focusNext(read());
};

/** Puts the cursor into a field, with all of its text selected. */
export function focusAll(path: string): void {
  focusNow(path);
  const field = document.activeElement;
  if (field instanceof HTMLInputElement) field.select();
}
