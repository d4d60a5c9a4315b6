/** The nonce of this answer, as the service wrote it into the page; none on the dev server. */
export const nonce: string | undefined = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce || undefined;

/**
 * Style elements that scripts of ours make get the page's nonce. antd passes it on in most places, but its scroll lock
 * and scrollbar measuring do not, and a strict Content-Security-Policy would refuse those.
 */
export function installNonce(): void {
  if (!nonce) return;
  const create = document.createElement.bind(document) as (tag: string, options?: ElementCreationOptions) => HTMLElement;
  document.createElement = ((tag: string, options?: ElementCreationOptions) => {
    const element = create(tag, options);
    if (tag.toLowerCase() === 'style') element.nonce = nonce;
    return element;
  }) as typeof document.createElement;
}
