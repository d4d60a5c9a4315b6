import { FlagOutlined, ImportOutlined, SettingOutlined } from '@ant-design/icons';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { productCategoriesRank } from '../../generated/client/catalogue/catalogue';
import { useCan } from '../../lib/access';
import { usePageUrl } from '../../lib/navigation';
import { here } from '../../lib/target';
import { Card, PageHeader } from '../../lib/ui/page';
import { EmptyState, ErrorState, NothingMatches } from '../../lib/ui/states';
import { CategoryContents, CategoryRows } from './CategoryRows';
import { useEditUrl } from './links';
import { ProductHits } from './ProductHits';
import { useById, useCategories } from './shared/api';
import { useScanToEditor } from './shared/ean';
import { NewButton, SortButton, type Sorting, useSorting } from './shared/listActions';
import { ColorDot, HeadAction, PageTitle, Trail } from './shared/parts';
import { isShown, setShown, useShown } from './shared/shown';
import { SortCard } from './shared/SortCard';
import { SearchBox, ShownBoxes, useSearch } from './shared/Toolbar';
import type { ProductCategory } from './shared/types';

const KEY = 'categories_and_products';

interface Props {
  categories: readonly ProductCategory[];
  /** None: the top level. */
  parent: ProductCategory | undefined;
}

/** The top level of the menu, or the sub-categories of one category. */
export function CategoryList({ categories, parent }: Props) {
  const siblings = categories.filter((row) => row.parent_id === (parent?.id ?? null));
  const sorting = useSorting();
  useScanToEditor(!sorting.on);
  return (
    <>
      <Head parent={parent} sorting={sorting} total={siblings.length} />
      {sorting.on ? (
        <Sort rows={siblings} onDone={sorting.end} />
      ) : (
        <Found categories={categories} siblings={siblings} parent={parent} />
      )}
    </>
  );
}

/** Address of the editor of a new category. */
function useNewUrl(parent: ProductCategory | undefined): string {
  return `${usePageUrl()(KEY, 'new')}${parent ? `?parent=${parent.id}` : ''}`;
}

interface HeadProps {
  parent: ProductCategory | undefined;
  sorting: Sorting;
  /** How many categories there are at this place. */
  total: number;
}

function Head({ parent, sorting, total }: HeadProps) {
  const { t } = useTranslation();
  const mayEdit = useCan()('catalog_edit');
  const url = usePageUrl();
  const editUrl = useEditUrl();
  const newUrl = useNewUrl(parent);
  const actions = (
    <>
      {parent && (
        <HeadAction
          icon={<SettingOutlined />}
          label={t('product_categories.settings')}
          to={editUrl(parent.id)}
        />
      )}
      {mayEdit && !parent && (
        <HeadAction
          icon={<ImportOutlined />}
          label={t('product_categories.import')}
          to={url('menu_import')}
        />
      )}
      {mayEdit && !parent && total > 0 && (
        <HeadAction icon={<FlagOutlined />} label={t('product_categories.ntak')} to={url('ntak_menu')} />
      )}
      <SortButton sorting={sorting} total={total} />
      {mayEdit && (
        <NewButton
          to={newUrl}
          label={t(parent ? 'product_categories.new_child' : 'product_categories.new')}
        />
      )}
    </>
  );
  return (
    <>
      {parent && <Trail steps={[{ name: <PageTitle />, to: url(KEY) }, { name: parent.name }]} />}
      <PageHeader
        title={parent?.name}
        lead={parent ? undefined : t('product_categories.lead')}
        actions={!sorting.on && actions}
      />
    </>
  );
}

function Sort({ rows, onDone }: { rows: readonly ProductCategory[]; onDone: () => void }) {
  return (
    <SortCard
      rows={rows}
      nameOf={(row) => row.name}
      send={(ids) => productCategoriesRank(...here(), { product_category_ids: ids })}
      onDone={onDone}
    >
      {(row) => (
        <>
          <ColorDot row={row} rows={rows} />
          <span className="rank-name">{row.name}</span>
          <span className="sort-fact">
            <CategoryContents of={row} />
          </span>
        </>
      )}
    </SortCard>
  );
}

interface FoundProps extends Props {
  /** All categories at this place. */
  siblings: readonly ProductCategory[];
}

/** The categories that the search finds, or the products it finds in all of them. */
function Found({ categories, siblings, parent }: FoundProps) {
  const { t } = useTranslation();
  const mayEdit = useCan()('catalog_edit');
  const shown = useShown();
  const byId = useById(categories);
  const newUrl = useNewUrl(parent);
  const [name, searchName] = useSearch('q');
  const [product, searchProduct] = useSearch('product');
  const found = useCategories(name || undefined);
  const searching = name !== '';
  const hits = (found.data ?? []).filter((row) => !parent || row.parent_id === parent.id);
  const rows = (searching ? hits : siblings).filter((row) => isShown(row, shown));
  const clear = () => {
    searchName('');
    setShown({ active: true, inactive: true });
  };

  let body: ReactNode;
  if (product) body = <ProductHits name={product} byId={byId} onClear={() => searchProduct('')} />;
  else if (searching && found.isError && !found.data)
    body = <ErrorState error={found.error} onRetry={() => void found.refetch()} />;
  else if (rows.length > 0)
    body = (
      <CategoryRows
        rows={rows}
        parent={parent}
        busy={found.isPlaceholderData}
        parentOf={(row) => (searching && row.parent_id ? byId.get(row.parent_id)?.name : undefined)}
      />
    );
  else if (searching || siblings.length > 0) body = <NothingMatches onClear={clear} />;
  else
    body = (
      <EmptyState
        title={t('product_categories.empty_title')}
        text={t('product_categories.empty')}
        actions={mayEdit && <NewButton to={newUrl} label={t('product_categories.new')} />}
      />
    );
  return (
    <Card flush className="list-card">
      {(siblings.length > 0 || searching || product) && (
        <div className="list-tools" role="search" data-scan>
          <SearchBox name="q" label={t('product_categories.search')} />
          <SearchBox name="product" label={t('products.search')} />
          <ShownBoxes />
        </div>
      )}
      {body}
      {!product && rows.length > 0 && (
        <footer className="list-foot">
          <span aria-live="polite">{t('list.total', { total: rows.length })}</span>
        </footer>
      )}
    </Card>
  );
}
