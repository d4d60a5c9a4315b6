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

/** Puts the cursor into a field once what hid it has opened. */
export function focusSoon(path: string | undefined): void {
  if (path) setTimeout(() => focusNow(path), 60);
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
