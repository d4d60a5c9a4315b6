import { createContext, type ReactNode, useEffect, useState } from 'react';

/** Whether something stands in a drawer or dialog. */
export const LayerContext = createContext(false);

/**
 * The content of a layer, rendered once the layer is in the document. antd puts both there in one step where
 * nothing moves (`prefers-reduced-motion`), and an input that wants the focus cannot take it outside the
 * document.
 */
export function Attached({ children }: { children: ReactNode }) {
  const [there, setThere] = useState(false);
  useEffect(() => setThere(true), []);
  return there ? <LayerContext value>{children}</LayerContext> : null;
}
