import type { ReactElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

const MM_PER_PX = 25.4 / 96;
let cleanUp: (() => void) | undefined;

/**
 * Opens the browser's print dialog with one slip of 80 mm. The slip is a part of this page that only paper
 * sees (tablets print frames unreliably). Rolls have no page height, and CSS no "auto" for it (`80mm auto` is
 * not valid and ignored): the slip is measured and the page made exactly as long. `kind` stands at the
 * document's root (`data-slip`) meanwhile.
 */
export function printSlip(kind: string, slip: ReactElement): void {
  cleanUp?.();
  cleanUp = undefined;

  const region = document.createElement('div');
  region.id = 'slip';
  region.setAttribute('aria-hidden', 'true');
  document.body.append(region);
  const root = createRoot(region);
  flushSync(() => root.render(slip));

  // A constructed sheet: a strict Content-Security-Policy allows no other way to add a rule.
  const page = new CSSStyleSheet();
  page.replaceSync(`@page { size: 80mm ${Math.ceil(region.offsetHeight * MM_PER_PX) + 2}mm; margin: 0; }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, page];
  document.documentElement.dataset.slip = kind;

  const remove = () => {
    removeEventListener('afterprint', later);
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== page);
    delete document.documentElement.dataset.slip;
    root.unmount();
    region.remove();
  };
  // Some tablets say "afterprint" before they have drawn the page. The next slip cleans up at once.
  const later = () =>
    void setTimeout(() => {
      if (cleanUp === remove) {
        cleanUp = undefined;
        remove();
      }
    }, 1000);
  cleanUp = remove;
  addEventListener('afterprint', later);
  print();
}
