/**
 * The content policy allows a style element only with the nonce of this page. antd can be told it, but not
 * all that it is made of (the lock on scrolling, icons and what their drawings hold, charts), so every style
 * element that a script makes gets it here. Injected markup is created by the parser and has no nonce.
 */
export function startNonce(): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;
  if (!nonce) return;
  for (const how of ['createElement', 'createElementNS'] as const) {
    const make = document[how].bind(document) as (...words: string[]) => Element;
    document[how] = ((...words: string[]) => {
      const made = make(...words);
      if (made instanceof HTMLStyleElement || made instanceof SVGStyleElement) made.nonce = nonce;
      return made;
    }) as never;
  }
}
