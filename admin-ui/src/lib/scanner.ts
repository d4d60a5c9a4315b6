import { useEffect, useRef } from 'react';

/** A scanner is a keyboard faster than any hand: on average at most this from key to key. ms */
const FAST_MS = 50;
/** So long after the last key it is over. ms */
const OVER_MS = 100;
/** Codes are at least as long. */
const SHORTEST = 10;

/** Keys that were pressed one after the other, told from a hand by their pace. */
export class ScanReader {
  #text = '';
  #first = 0;
  #last = 0;

  /** A character; whether it began a new text. */
  add(key: string, at: number): boolean {
    const begins = this.#text === '' || at - this.#last > OVER_MS;
    if (begins) {
      this.#text = '';
      this.#first = at;
    }
    this.#text += key;
    this.#last = at;
    return begins;
  }

  /** The code, if it was a scanner; whatever it was is forgotten. */
  take(): string | undefined {
    const text = this.#text;
    this.#text = '';
    const gap = (this.#last - this.#first) / Math.max(1, text.length - 1);
    return text.length >= SHORTEST && gap <= FAST_MS ? text : undefined;
  }

  forget(): void {
    this.#text = '';
  }
}

type Field = HTMLInputElement | HTMLTextAreaElement;

const fieldOf = (target: EventTarget | null): Field | undefined =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? target : undefined;

/**
 * A field in which a code may be meant to be written: any text, unless it is marked with `data-scan`, as the
 * search of the list is. Numbers are never a code.
 */
function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  const field = fieldOf(target);
  if (!field || field.closest('[data-scan]')) return false;
  if (field instanceof HTMLTextAreaElement) return true;
  return (
    !/^(button|checkbox|radio|range|number|submit|reset|file|color)$/.test(field.type) &&
    field.getAttribute('role') !== 'spinbutton'
  );
}

/** Puts back what stood in a field before the code was written into it. */
function restore(field: Field, value: string): void {
  if (field.value === value || !field.isConnected) return;
  const proto =
    field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  Object.getOwnPropertyDescriptor(proto, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * Runs on each code that a scanner reads while the page is shown, ended by Enter or by silence. In a dialog and in a
 * field for text it does nothing: there the code is written as any text is. What it wrote into another field before
 * it was known for a code is taken back, and its Enter presses nothing.
 */
export function useScanner(onScan: (code: string) => void, enabled = true): void {
  const latest = useRef(onScan);
  useEffect(() => {
    latest.current = onScan;
  });
  useEffect(() => {
    if (!enabled) return;
    const reader = new ScanReader();
    let field: { element: Field; value: string } | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = (): boolean => {
      clearTimeout(timer);
      const code = reader.take();
      if (code === undefined) return false;
      if (field) restore(field.element, field.value);
      latest.current(code);
      return true;
    };
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event;
      if (key === 'Shift') return;
      const elsewhere = takesText(target) || (target instanceof Element && target.closest('[role=dialog]'));
      if (elsewhere || event.repeat || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) {
        reader.forget();
        return;
      }
      if (key === 'Enter') {
        if (!end()) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        return;
      }
      if (key.length !== 1) return reader.forget();
      if (reader.add(key, event.timeStamp)) {
        const element = fieldOf(target);
        field = element && { element, value: element.value };
      }
      clearTimeout(timer);
      timer = setTimeout(end, OVER_MS);
    };
    // Before whatever has the focus.
    window.addEventListener('keydown', onKey, { capture: true });
    return () => {
      window.removeEventListener('keydown', onKey, { capture: true });
      clearTimeout(timer);
    };
  }, [enabled]);
}
