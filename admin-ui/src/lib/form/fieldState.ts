import { createContext, useContext } from 'react';

/** DOM id of a field of a draft. */
export const fieldId = (path: string): string => `field-${path}`;

/** Puts the cursor into a field at once: what is typed after a shortcut is meant for it. */
export function focusNow(path: string): void {
  const field = document.getElementById(fieldId(path));
  field?.closest('details')?.setAttribute('open', '');
  field?.scrollIntoView({ block: 'center' });
  field?.focus({ preventScroll: true });
}

/** How often a field is looked for that is not drawn yet. */
const LOOKS = 15;

/** Puts the cursor into a field once what hid it has opened: on a busy device within a second. */
export function focusSoon(path: string | undefined, looks = LOOKS): void {
  if (!path || looks === 0) return;
  setTimeout(() => {
    if (document.getElementById(fieldId(path))) focusNow(path);
    else focusSoon(path, looks - 1);
  }, 60);
}

/** The state shared by the fields of a draft. */
interface FieldState {
  /** Texts by field path. */
  faults: Readonly<Record<string, string>>;
  /** Saving, or waiting for an answer. */
  busy: boolean;
  /** Busy, or no right to edit. */
  locked: boolean;
}

export const FieldStateContext = createContext<FieldState>({ faults: {}, busy: false, locked: false });
export const useFault = (path: string): string | undefined => useContext(FieldStateContext).faults[path];
/** For what may be changed without the right to edit: the switches. */
export const useBusy = (): boolean => useContext(FieldStateContext).busy;
export const useLocked = (): boolean => useContext(FieldStateContext).locked;
