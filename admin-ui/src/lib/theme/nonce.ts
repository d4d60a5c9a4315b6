/**
 * The content policy allows a style element only with the nonce of this page. antd can be told it, but not all that it is
 * made of (the lock on scrolling, icons, charts), so every style element that a script makes gets it here. What somebody
 * smuggles in as markup is made by the parser and has none.
 */
export function startNonce(): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;
  if (!nonce) return;
  const make = document.createElement.bind(document);
  document.createElement = ((name: string, options?: ElementCreationOptions) => {
    const made = make(name, options);
    if (made instanceof HTMLStyleElement) made.nonce = nonce;
    return made;
  }) as typeof document.createElement;
}
