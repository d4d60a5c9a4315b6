import { type KeyboardEvent, useMemo, useState } from 'react';
import { askedOf, type Book, type Entry, quantityAlone, search } from './menu';

interface Options {
  book: Book;
  /** Adds so many pieces; `ask`: with its options first. */
  onAdd: (entry: Entry, quantity: number, ask: boolean) => void;
  /** Sets the quantity of the line that was added last; absent where there is none. */
  onQuantity?: ((quantity: number) => void) | undefined;
}

/** Typing, arrows, Enter: what is found, which of it is marked, and what a key does. */
export function useMenuSearch({ book, onAdd, onQuantity }: Options) {
  const [text, setText] = useState('');
  const [marked, setMarked] = useState(0);
  const { quantity, words } = useMemo(() => askedOf(text, book), [text, book]);
  const hits = useMemo(() => search(book, words), [book, words]);
  const alone = onQuantity ? quantityAlone(text, book) : undefined;
  const at = Math.min(marked, Math.max(0, hits.length - 1));

  const type = (next: string) => {
    setText(next);
    setMarked(0);
  };
  const add = (entry: Entry | undefined, ask = false) => {
    if (entry?.stock !== 'ready') return;
    onAdd(entry, quantity, ask);
    type('');
  };
  const enter = (ask: boolean) => {
    if (alone === undefined || !onQuantity) return add(hits[at], ask);
    onQuantity(alone);
    type('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && hits.length > 0) setMarked((at + step + hits.length) % hits.length);
    else if (event.key === 'Enter') enter(event.shiftKey);
    else if (event.key === 'Escape' && text !== '') type('');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { text, type, words, quantity, hits, at, alone, add, onKeyDown };
}
