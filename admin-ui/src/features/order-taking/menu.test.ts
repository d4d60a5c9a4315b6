import { describe, expect, it } from 'vitest';
import { askedOf, bookOf, productsOf, quantityAlone, search } from './menu';
import { MENU, menu, size } from './sample.test-data';

const book = bookOf(MENU);
const found = (text: string) => search(book, askedOf(text, book).words).map(({ id }) => id);

describe('the menu as orders are taken', () => {
  it('names sizes where the product has several', () => {
    expect([...book.byId.values()].map(({ name }) => name)).toEqual([
      'Margherita, 32 cm',
      'Margherita, 45 cm',
      'Négysajtos pizza',
      '4 évszak',
      'Cola Zero',
    ]);
    expect(book.byId.get('m32')?.groups.map(({ id }) => id)).toEqual(['dough']);
  });

  it('says what cannot be had', () => {
    expect(book.byId.get('e')?.stock).toBe('unavailable');
    expect(book.byId.get('m45')?.stock).toBe('ready');
  });

  it('shows a product once, with its sizes', () => {
    expect(
      book.sections.map((section) => productsOf(section).map((sizes) => sizes.map(({ id }) => id))),
    ).toEqual([[['m32', 'm45'], ['n'], ['e']], [['c']]]);
  });

  it('counts none left as sold out, whatever the menu says', () => {
    const none = bookOf(menu({ A: { B: [size('b', 'B', { sellable_quantity: 0 })] } }));
    expect(none.byId.get('b')?.stock).toBe('unavailable');
  });
});

describe('the search', () => {
  it.each([
    ['marg', ['m32', 'm45']],
    ['MARGHÉRITA 45', ['m45']],
    ['negy', ['n']],
    ['zero', ['c']],
    ['ital', ['c']],
    ['', []],
    ['nincs ilyen', []],
  ])('%s finds %j', (text, ids) => expect(found(text)).toEqual(ids));

  it('puts what begins so first, and what cannot be ordered last', () => {
    expect(found('pizza')).toEqual(['n', 'm32', 'm45', 'e']);
  });

  it('reads a number in front as the quantity, unless a name begins with it', () => {
    expect(askedOf('2 marg', book)).toEqual({ quantity: 2, words: 'marg' });
    expect(askedOf('3x marg', book)).toEqual({ quantity: 3, words: 'marg' });
    expect(askedOf('12 x  marg', book)).toEqual({ quantity: 12, words: 'marg' });
    expect(askedOf('2 xl', book)).toEqual({ quantity: 2, words: 'xl' });
    expect(askedOf('4 évszak', book)).toEqual({ quantity: 1, words: '4 evszak' });
    expect(askedOf('2 x 4 évszak', book)).toEqual({ quantity: 2, words: '4 evszak' });
    expect(askedOf('0 marg', book)).toEqual({ quantity: 1, words: '0 marg' });
    expect(askedOf('7up', book)).toEqual({ quantity: 1, words: '7up' });
  });

  it('reads digits alone as the quantity of the last line, unless a name begins with them', () => {
    expect(quantityAlone(' 3 ', book)).toBe(3);
    expect(quantityAlone('4', book)).toBeUndefined();
    expect(quantityAlone('0', book)).toBeUndefined();
    expect(quantityAlone('1000', book)).toBeUndefined();
    expect(quantityAlone('3 marg', book)).toBeUndefined();
  });
});
