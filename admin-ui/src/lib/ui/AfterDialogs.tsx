import { type ReactNode, useState, useSyncExternalStore } from 'react';

/** One that is kept for later is hidden. */
const noneOpen = (): boolean =>
  document.querySelector('.ant-modal-wrap:not([style*="display: none"])') === null;

/** Dialogs come and go as children of the body. */
function subscribe(notify: () => void): () => void {
  const observer = new MutationObserver(notify);
  observer.observe(document.body, { childList: true });
  return () => observer.disconnect();
}

/**
 * A dialog that opens by itself, once no other one is open: a question that was there stays above it, while
 * the keys and the focus would be those of the newer one.
 */
export function AfterDialogs({ children }: { children: ReactNode }) {
  const free = useSyncExternalStore(subscribe, noneOpen);
  const [turn, setTurn] = useState(free);
  // From then on the open dialog is its own.
  if (free && !turn) setTurn(true);
  return turn ? children : null;
}
