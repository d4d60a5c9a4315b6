import { DeleteOutlined, PlusOutlined, SettingOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { productsRank } from '../../generated/client/catalogue/catalogue';
import { useCan } from '../../lib/access';
import { usePageUrl } from '../../lib/navigation';
import { here } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { Card, Chip, PageHeader } from '../../lib/ui/page';
import { EmptyState } from '../../lib/ui/states';
import { useEditUrl } from './links';
import { Price } from './Price';
import { ProductRows } from './ProductRows';
import { useProducts } from './shared/api';
import { useScanToEditor } from './shared/ean';
import { FoundCard } from './shared/FoundCard';
import { NewButton, SortButton, type Sorting, useSorting } from './shared/listActions';
import { ColorDot, HeadAction, PageTitle, Trail } from './shared/parts';
import { isShown, useShown } from './shared/shown';
import { SortCard, SortedRow } from './shared/SortCard';
import { useSearch } from './shared/Toolbar';
import type { Product, ProductCategory } from './shared/types';
import { useDeleteCategory } from './useDeleteCategory';

const KEY = 'categories_and_products';

interface Props {
  categories: readonly ProductCategory[];
  category: ProductCategory | undefined;
}

/** The products of a category without sub-categories. */
export function ProductList({ categories, category }: Props) {
  const url = usePageUrl();
  const { t } = useTranslation();
  const parent = category?.parent_id ? categories.find((row) => row.id === category.parent_id) : undefined;
  return (
    <>
      <Trail
        steps={[
          { name: <PageTitle />, to: url(KEY) },
          ...(parent ? [{ name: parent.name, to: url(KEY, parent.id) }] : []),
          { name: category?.name ?? t('product_categories.gone') },
        ]}
      />
      {category ? <List category={category} /> : <CategoryNotFound />}
    </>
  );
}

/** The address names a category that does not exist. */
function CategoryNotFound() {
  const { t } = useTranslation();
  const url = usePageUrl();
  return (
    <>
      <PageHeader title={t('product_categories.gone')} />
      <Card flush>
        <EmptyState
          title={t('product_categories.gone')}
          text={t('product_categories.gone_text')}
          actions={
            <Link className="button-link" to={url(KEY)}>
              {t('action.back')}
            </Link>
          }
        />
      </Card>
    </>
  );
}

function List({ category }: { category: ProductCategory }) {
  const { t } = useTranslation();
  const shown = useShown();
  const sorting = useSorting();
  useScanToEditor(!sorting.on);
  const [name] = useSearch('q');
  const all = useProducts(category.id).data;
  const found = useProducts(category.id, name || undefined);
  const rows = (found.data ?? []).filter((row) => isShown(row, shown));
  return (
    <>
      <Head category={category} sorting={sorting} total={all?.length ?? 0} />
      {sorting.on && all ? (
        <Sort rows={all} category={category} onDone={sorting.end} />
      ) : (
        <FoundCard
          found={found}
          rows={rows}
          all={all?.length ?? 0}
          label={t('products.search')}
          empty={<Empty category={category} />}
        >
          <ProductRows rows={rows} category={category} busy={found.isPlaceholderData} />
        </FoundCard>
      )}
    </>
  );
}

function Head({ category, sorting, total }: { category: ProductCategory; sorting: Sorting; total: number }) {
  const { t } = useTranslation();
  const mayEdit = useCan()('catalog_edit');
  const url = usePageUrl();
  const editUrl = useEditUrl();
  const actions = (
    <>
      <HeadAction
        icon={<SettingOutlined />}
        label={t('product_categories.settings')}
        to={editUrl(category.id)}
      />
      <SortButton sorting={sorting} total={total} />
      {mayEdit && <NewButton to={url(KEY, `${category.id}/new`)} label={t('products.new')} />}
    </>
  );
  return (
    <PageHeader
      title={category.name}
      mark={!category.active && <Chip>{t('state.inactive')}</Chip>}
      actions={!sorting.on && actions}
    />
  );
}

interface SortProps {
  rows: readonly Product[];
  category: ProductCategory;
  onDone: () => void;
}

function Sort({ rows, category, onDone }: SortProps) {
  return (
    <SortCard
      rows={rows}
      nameOf={(row) => row.name}
      send={(ids) => productsRank(...here(), category.id, { product_ids: ids })}
      onDone={onDone}
    >
      {(row) => (
        <>
          <ColorDot row={row} rows={rows} />
          <SortedRow row={row} fact={<Price rows={row.subproducts} />} />
        </>
      )}
    </SortCard>
  );
}

/** No products yet: makes one, or a category below, or deletes this one. */
function Empty({ category }: { category: ProductCategory }) {
  const { t } = useTranslation();
  const can = useCan();
  const url = usePageUrl();
  const navigate = useNavigate();
  const remove = useDeleteCategory();
  const mayEdit = can('catalog_edit');
  const deleteCategory = () => remove(category, () => navigate(url(KEY, category.parent_id ?? undefined)));
  return (
    <EmptyState
      title={t('products.none')}
      text={t('products.empty')}
      actions={
        <>
          {mayEdit && <NewButton to={url(KEY, `${category.id}/new`)} label={t('products.new')} />}
          {mayEdit && category.parent_id === null && (
            <Button
              icon={<PlusOutlined />}
              onClick={() => void navigate(`${url(KEY, 'new')}?parent=${category.id}`)}
            >
              {t('product_categories.new_child')}
            </Button>
          )}
          {can('catalog_delete') && (
            <Button danger icon={<DeleteOutlined />} onClick={() => void deleteCategory()}>
              {t('product_categories.delete')}
            </Button>
          )}
        </>
      }
    />
  );
}
