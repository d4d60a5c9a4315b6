import { plain } from './plain';

/** `Friss rendelések` -> `friss-rendelesek`. */
export const slugify = (title: string): string =>
  plain(title)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
