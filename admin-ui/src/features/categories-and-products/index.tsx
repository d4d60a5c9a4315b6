import { useEffect } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { isWord } from '../../lib/features';
import { usePage, usePageUrl } from '../../lib/navigation';
import { Card, PageHeader } from '../../lib/ui/page';
import { Loading, QueryFallback } from '../../lib/ui/states';
import { useNotify } from '../../lib/ui/notify';
import './catalogue.css';
import { CategoryEditor } from './CategoryEditor';
import { CategoryList } from './CategoryList';
import { ProductEditor } from './ProductEditor';
import { ProductList } from './ProductList';
import { type Jump, jumpOf, placeOf } from './routes';
import { productCalls, useById, useCategories } from './shared/api';
import { useLiveCatalogue } from './shared/useLiveCatalogue';

/**
 * The menu: a category with sub-categories shows them, one without shows its products; behind them the
 * editors. All of it stands in the address: `/{category}`, `/{category}/edit`,
 * `/{category}/{product}?subproduct=`.
 */
export default function CategoriesAndProducts() {
  const { path } = usePage();
  const { state } = useLocation();
  const [query] = useSearchParams();
  const categories = useCategories();
  useLiveCatalogue();
  const byId = useById(categories.data);
  const jump = jumpOf(state, query);
  const place = placeOf(path, (segment) => isWord('new', segment));
  if (jump) return <Jumping jump={jump} />;
  if (!categories.data)
    return (
      <Frame>
        <QueryFallback query={categories} rows={8} />
      </Frame>
    );
  switch (place.at) {
    case 'new-category':
      return <CategoryEditor key="new" categories={categories.data} id={undefined} />;
    case 'category':
      return <CategoryEditor key={place.category} categories={categories.data} id={place.category} />;
    case 'new-product':
      return (
        <ProductEditor key="new" categories={categories.data} category={place.category} id={undefined} />
      );
    case 'product':
      return (
        <ProductEditor
          key={place.product}
          categories={categories.data}
          category={place.category}
          id={place.product}
        />
      );
    case 'contents': {
      const category = place.category === undefined ? undefined : byId.get(place.category);
      if (place.category === undefined || (category && category.children_count > 0))
        return <CategoryList categories={categories.data} parent={category} />;
      return <ProductList key={place.category} categories={categories.data} category={category} />;
    }
    default:
      return null;
  }
}

function Frame({ children }: { children: React.ReactNode }) {
  return (
    <>
      <PageHeader />
      <Card flush>{children}</Card>
    </>
  );
}

/** Another screen named a category, product or size: goes to its own address. */
function Jumping({ jump }: { jump: Jump }) {
  const url = usePageUrl();
  const navigate = useNavigate();
  const notify = useNotify();
  useEffect(() => {
    let gone = false;
    const go = (category: string | undefined, product?: string) => {
      if (gone) return;
      // In one step: the editor looks at the address for its size when it opens, and not again.
      void navigate(
        url(
          'categories_and_products',
          [category, product].filter(Boolean).join('/'),
          jump.subproduct && product ? { subproduct: jump.subproduct } : {},
        ),
        { replace: true },
      );
    };
    const find = async () => {
      if (jump.category && (jump.product || !jump.subproduct)) return go(jump.category, jump.product);
      const all = await productCalls.find('');
      const found = all.find(
        (p) => p.id === jump.product || p.subproducts.some((s) => s.id === jump.subproduct),
      );
      return go(found?.product_category_id ?? jump.category, found?.id);
    };
    find().catch((error) => {
      notify.problem(error);
      go(undefined);
    });
    return () => void (gone = true);
    // once per jump
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return (
    <Frame>
      <Loading rows={8} />
    </Frame>
  );
}
