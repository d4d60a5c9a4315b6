/** A part that is not there after so many milliseconds gets no letters; the page gets its keys back. */
const LONGEST_MS = 3000;

interface Typed {
  text: string;
  entered: boolean;
}

let stop: (() => Typed) | undefined;

/** Collects what is typed from now on, after `text`, for a field whose code is still being loaded. */
export function collectTyped(text = ''): void {
  stop?.();
  const typed: Typed = { text, entered: false };
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') typed.entered = true;
    else if (event.key === 'Backspace') typed.text = [...typed.text].slice(0, -1).join('');
    else if ([...event.key].length === 1) typed.text += event.key;
    else return;
    // Neither the field below nor a shortcut gets it.
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const timer = setTimeout(() => stop?.(), LONGEST_MS);
  addEventListener('keydown', onKey, true);
  stop = () => {
    clearTimeout(timer);
    removeEventListener('keydown', onKey, true);
    stop = undefined;
    return typed;
  };
}

/** What was typed since then; the field has the keys from now on. */
export const takeTyped = (): Typed => stop?.() ?? { text: '', entered: false };
