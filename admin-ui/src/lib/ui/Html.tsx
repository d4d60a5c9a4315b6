import { createElement, type ReactNode, useMemo } from 'react';
import './html.css';

/** The elements that the service allows; others are not shown. */
const ALLOWED_TAGS = new Set([
  'P',
  'BR',
  'B',
  'STRONG',
  'I',
  'EM',
  'U',
  'UL',
  'OL',
  'LI',
  'H3',
  'H4',
  'CODE',
  'A',
]);
/** Not even their text is shown. */
const DROPPED_TAGS = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT', 'IFRAME', 'SVG', 'MATH']);
const ADDRESS = /^(https:\/\/|mailto:|tel:)/i;

function nodes(parent: Node): ReactNode[] {
  return [...parent.childNodes].map((node, key) => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent;
    if (!(node instanceof Element) || DROPPED_TAGS.has(node.tagName.toUpperCase())) return null;
    const tag = node.tagName.toUpperCase();
    if (tag === 'BR') return <br key={key} />;
    if (!ALLOWED_TAGS.has(tag)) return <span key={key}>{nodes(node)}</span>;
    if (tag !== 'A') return createElement(tag.toLowerCase(), { key }, ...nodes(node));
    const address = node.getAttribute('href') ?? '';
    return ADDRESS.test(address) ? (
      <a key={key} href={address} target="_blank" rel="noopener noreferrer">
        {nodes(node)}
      </a>
    ) : (
      <span key={key}>{nodes(node)}</span>
    );
  });
}

/**
 * Without attributes but addresses: they are never shown, and the content policy would report each handler in
 * them.
 */
const withoutAttributes = (text: string): string =>
  text.replace(/<([a-z][a-z\d]*)\b[^>]*>/gi, (tag, name: string) => {
    const address = name.toLowerCase() === 'a' ? /\bhref\s*=\s*("[^"]*"|'[^']*')/i.exec(tag)?.[1] : undefined;
    return address ? `<a href=${address}>` : `<${name}>`;
  });

/** Text that somebody wrote as HTML, made of React elements from an allow list: nothing in it runs. */
export function Html({ text }: { text: string }) {
  // A document of its own: parsing runs no script and fetches nothing.
  const shown = useMemo(
    () => nodes(new DOMParser().parseFromString(withoutAttributes(text), 'text/html').body),
    [text],
  );
  return <div className="html">{shown}</div>;
}

/** The letters of such a text alone, for a line of a list. */
export const lettersOf = (text: string): string =>
  new DOMParser().parseFromString(withoutAttributes(text), 'text/html').body.textContent.trim();
