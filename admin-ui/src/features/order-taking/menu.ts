/**
 * The menu as orders are taken from it: every size a line of its own, in the menu's order, with what keeps it from
 * being ordered. Nothing here asks anybody.
 */
import type { Menu, MenuCategory, MenuOptionGroup, MenuProduct, MenuSubproduct } from '../../generated/model';

/** Whether a size can be added. */
export type Stock = 'ready' | 'unavailable';

/** A size that is ordered. */
export interface Entry {
  id: string;
  /** As an order names it: the product, with the size where that says more. */
  name: string;
  product: string;
  /** The product's id: its sizes are shown as one. */
  product_id: string;
  /** Its own name where the product has several sizes. */
  size: string | undefined;
  section: string;
  /** As the service answers it; only shown. */
  price: number;
  stock: Stock;
  /** Pieces that may still be sold; undefined where nobody counts. */
  left: number | undefined;
  groups: readonly MenuOptionGroup[];
  /** Plain words by which it is found. */
  words: string;
}

/** A category with what it sells. */
export interface Section {
  id: string;
  name: string;
  /** The main category in which it stands; itself where it is one. */
  main: string;
  mainName: string;
  entries: readonly Entry[];
}

export interface Book {
  sections: readonly Section[];
  byId: ReadonlyMap<string, Entry>;
}

export const NO_BOOK: Book = { sections: [], byId: new Map() };

/** Without case, accents and signs: `Gulyásleves (nagy)` is `gulyasleves nagy`. */
export const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** What can be ordered by a menu. */
export function bookOf(menu: Menu): Book {
  const byId = new Map<string, Entry>();
  const sections = new Map<string, Section & { entries: Entry[] }>();
  const groups = new Map(menu.option_groups.map((group) => [group.id, group]));
  for (const { category, main } of flat(menu.categories))
    for (const product of category.products)
      for (const size of product.subproducts) {
        if (byId.has(size.id)) continue;
        const { id, name } = category;
        const within = `${main.name} ${name}`;
        const entry = entryOf({ product, size, groups, section: id, within });
        byId.set(entry.id, entry);
        const section = sections.get(id) ?? { id, name, main: main.id, mainName: main.name, entries: [] };
        section.entries.push(entry);
        sections.set(id, section);
      }
  return { sections: [...sections.values()], byId };
}

/** Categories in their order, each with the main one in which it stands. */
function flat(categories: readonly MenuCategory[], above?: MenuCategory): Placed[] {
  return categories.flatMap((category) => {
    const main = above ?? category;
    return [{ category, main }, ...flat(category.children, main)];
  });
}

interface Placed {
  category: MenuCategory;
  main: MenuCategory;
}

interface Made {
  product: MenuProduct;
  size: MenuSubproduct;
  groups: ReadonlyMap<string, MenuOptionGroup>;
  section: string;
  /** Names of its categories. */
  within: string;
}

function entryOf({ product, size, groups, section, within }: Made): Entry {
  // The service's rule for names of items: a size that says nothing more is left out.
  const own = product.subproducts.length > 1 && plain(size.name) !== plain(product.name);
  const left = size.sellable_quantity ?? undefined;
  const said = [
    product.name,
    own ? size.name : '',
    product.name_sec_lang,
    own ? size.name_sec_lang : '',
    within,
  ];
  return {
    id: size.id,
    name: own ? `${product.name}, ${size.name}` : product.name,
    product: product.name,
    product_id: product.id,
    size: own ? size.name : undefined,
    section,
    price: Number(size.price),
    stock: size.available && left !== 0 ? 'ready' : 'unavailable',
    left,
    groups: size.option_group_ids.flatMap((id) => groups.get(id) ?? []),
    words: plain(said.filter(Boolean).join(' ')),
  };
}

/** The sizes of a section by product, in the order of the menu. */
export function productsOf({ entries }: Pick<Section, 'entries'>): (readonly Entry[])[] {
  const products = new Map<string, Entry[]>();
  for (const entry of entries)
    products.set(entry.product_id, [...(products.get(entry.product_id) ?? []), entry]);
  return [...products.values()];
}

/** So many are offered while somebody types. */
export const MOST_HITS = 12;

/** What was typed into the search. */
export interface Asked {
  quantity: number;
  words: string;
}

/** The largest number of pieces of a line. */
export const MOST_PIECES = 999;

/**
 * `2 marg` and `2x marg` are two pieces, `marg` is one. A number that a name begins with (`4 sajtos`) belongs to the
 * name where something is called so; `2x 4 sajtos` says both.
 */
export function askedOf(text: string, book: Book): Asked {
  const counted = /^\s*(\d{1,3})(?:\s*([x×*])(?=\s)|\s)\s*(\S.*)$/i.exec(text);
  const [, digits, times, rest] = counted ?? [];
  const whole = { quantity: 1, words: plain(text) };
  if (!digits || !rest || Number(digits) === 0) return whole;
  if (!times && entriesOf(book).some((one) => rankOf(one, whole.words) === 0)) return whole;
  return { quantity: Number(digits), words: plain(rest) };
}

/** Digits alone are the quantity of the line that was added last, unless something is called so. */
export function quantityAlone(text: string, book: Book): number | undefined {
  const typed = /^\s*(\d{1,3})\s*$/.exec(text)?.[1];
  if (!typed || Number(typed) === 0) return undefined;
  return entriesOf(book).some((one) => rankOf(one, plain(text)) === 0) ? undefined : Number(typed);
}

const entriesOf = (book: Book): Entry[] => [...book.byId.values()];

/** How well it fits: 0 begins so, 1 a word of its name does, 2 it is in it, 3 it does not. */
function rankOf(entry: Entry, words: string): 0 | 1 | 2 | 3 {
  if (words === '') return 3;
  const name = plain(entry.name);
  if (name.startsWith(words)) return 0;
  const starts = words.split(' ').every((word) => ` ${name}`.includes(` ${word}`));
  if (starts) return 1;
  return words.split(' ').every((word) => entry.words.includes(word)) ? 2 : 3;
}

/** What fits the words, the best first; what cannot be ordered comes after what can and fits as well. */
export function search(book: Book, words: string, most = MOST_HITS): Entry[] {
  const found = entriesOf(book).flatMap((entry, order) => {
    const rank = rankOf(entry, words);
    return rank === 3 ? [] : [{ entry, at: (entry.stock === 'ready' ? 0 : 10) + rank, order }];
  });
  return found
    .toSorted((a, b) => a.at - b.at || a.order - b.order)
    .slice(0, most)
    .map(({ entry }) => entry);
}
