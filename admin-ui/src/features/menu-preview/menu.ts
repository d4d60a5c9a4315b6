import type {
  MenuPreview,
  MenuPreviewCategory,
  MenuPreviewProduct,
  MenuPreviewSubproduct,
} from '../../generated/model';

/** A category with its products, in the order of the menu; `above` is the category that opens it. */
export interface Section {
  category: MenuPreviewCategory;
  above: MenuPreviewCategory | undefined;
  products: MenuPreviewProduct[];
}

const wanted = (size: MenuPreviewSubproduct): boolean => !size.on_sale || !size.shown;

/** The categories with products, each once; `hidden`: only what is not on sale. */
export function sectionsOf({ categories }: Pick<MenuPreview, 'categories'>, hidden: boolean): Section[] {
  const of = (category: MenuPreviewCategory, above?: MenuPreviewCategory): Section[] => {
    const products = category.products.flatMap((product) => {
      const subproducts = hidden ? product.subproducts.filter(wanted) : product.subproducts;
      return subproducts.length ? [{ ...product, subproducts }] : [];
    });
    const own = products.length ? [{ category, above, products }] : [];
    return [...own, ...category.children.flatMap((child) => of(child, category))];
  };
  return categories.flatMap((category) => of(category));
}

/** How many sizes there are, and how many of them can be ordered. */
export function countsOf({ categories }: Pick<MenuPreview, 'categories'>): { all: number; onSale: number } {
  const sizes = sectionsOf({ categories }, false)
    .flatMap(({ products }) => products)
    .flatMap(({ subproducts }) => subproducts);
  return { all: sizes.length, onSale: sizes.filter((size) => !wanted(size)).length };
}

/** One product of a section. */
interface Line {
  section: Section;
  product: MenuPreviewProduct;
}

/** The products one by one, so that a long menu can be shown bit by bit. */
export const linesOf = (sections: readonly Section[]): Line[] =>
  sections.flatMap((section) => section.products.map((product) => ({ section, product })));

/** These products in their sections again. */
export function partsOf(lines: readonly Line[]): Section[] {
  const parts: Section[] = [];
  for (const { section, product } of lines) {
    const last = parts.at(-1);
    if (last?.category.id === section.category.id) last.products.push(product);
    else parts.push({ ...section, products: [product] });
  }
  return parts;
}
