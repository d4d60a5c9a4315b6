import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { CloseSlip, type CloseSlipProps } from './CloseSlip';

const MM_PER_PX = 25.4 / 96;
let cleanUp: (() => void) | undefined;

/**
 * Prints a close as a slip of 80 mm: a part of the page that only paper sees, measured and its page made as long,
 * as the slips of orders are (`features/order/slip`).
 */
export async function printClose(props: CloseSlipProps): Promise<void> {
  await document.fonts?.ready;
  cleanUp?.();
  const region = document.createElement('div');
  region.id = 'slip';
  region.setAttribute('aria-hidden', 'true');
  document.body.append(region);
  const root = createRoot(region);
  flushSync(() => root.render(<CloseSlip {...props} />));
  const page = new CSSStyleSheet();
  page.replaceSync(`@page { size: 80mm ${Math.ceil(region.offsetHeight * MM_PER_PX) + 2}mm; margin: 0; }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, page];
  document.documentElement.dataset.slip = 'drawer';
  const remove = () => {
    cleanUp = undefined;
    removeEventListener('afterprint', soon);
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== page);
    delete document.documentElement.dataset.slip;
    root.unmount();
    region.remove();
  };
  // Some tablets say "afterprint" before they have drawn the page. The next slip cleans up at once.
  const soon = () => void setTimeout(() => cleanUp === remove && remove(), 1000);
  cleanUp = remove;
  addEventListener('afterprint', soon);
  print();
}
