import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { CategoryDepot, DepotShort } from '../../generated/model';
import { noEffectYet } from '../../generated/no-effect.gen';
import { NoEffect } from '../../lib/fields/NoEffect';
import { usePage, usePageUrl } from '../../lib/navigation';
import { Card, Chip, PageHeader } from '../../lib/ui/page';
import { EmptyState, NothingMatches, QueryFallback } from '../../lib/ui/states';
import { useById } from '../categories-and-products/shared/api';
import { PageTitle, Trail } from '../categories-and-products/shared/parts';
import { SearchBox, useSearch } from '../categories-and-products/shared/Toolbar';
import '../../lib/crud/list.css';
import '../categories-and-products/catalogue.css';
import './depots.css';
import { depotCalls, useCategoryDepots, useDepots, useProductDepots } from './api';
import { DepotRows } from './DepotRows';
import { aboveCategory, aboveProduct } from './depots';

const KEY = 'depot_product_relation';

/** From which depot products are taken: the categories, and behind `/{category}` the products of one. */
export default function DepotProductRelation() {
  const { path } = usePage();
  const depots = useDepots();
  const categories = useCategoryDepots();
  const byId = useById(categories.data);
  const category = path[0] === undefined ? undefined : byId.get(path[0]);
  const missing = path[0] !== undefined && categories.data && !category;
  const failed = depots.isError ? depots : categories;
  return (
    <>
      {path[0] !== undefined && <Way category={category} />}
      <Head category={category} />
      <Card flush className="list-card">
        {(!depots.data || !categories.data) && <QueryFallback query={failed} rows={8} />}
        {depots.data && categories.data && missing && <Gone />}
        {depots.data && categories.data && !missing && (
          <Lists category={category} categories={categories.data} byId={byId} depots={depots.data} />
        )}
      </Card>
    </>
  );
}

function Way({ category }: { category: CategoryDepot | undefined }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const name = category?.name ?? t('product_categories.gone');
  return <Trail steps={[{ name: <PageTitle />, to: url(KEY) }, { name }]} />;
}

/** Says that nothing acts on it yet. */
function Head({ category }: { category: CategoryDepot | undefined }) {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader
        title={category?.name}
        mark={category && !category.active && <Chip>{t('state.inactive')}</Chip>}
        lead={t('depot_relation.lead')}
      />
      <p className="depot-notice" role="note">
        <NoEffect of={noEffectYet['CategoryDepot.depot_id']} what={t('depot_relation.stock')} />
      </p>
    </>
  );
}

function Gone() {
  const { t } = useTranslation();
  const url = usePageUrl();
  return (
    <EmptyState
      title={t('product_categories.gone')}
      text={t('product_categories.gone_text')}
      actions={
        <Link className="button-link" to={url(KEY)}>
          {t('action.back')}
        </Link>
      }
    />
  );
}

interface ListsProps {
  /** None: all of them. */
  category: CategoryDepot | undefined;
  categories: readonly CategoryDepot[];
  byId: ReadonlyMap<string, CategoryDepot>;
  depots: readonly DepotShort[];
}

function Lists({ category, categories, byId, depots }: ListsProps) {
  const { t } = useTranslation();
  const [name] = useSearch('q');
  if (categories.length === 0)
    return <EmptyState title={t('depot_relation.empty_title')} text={t('depot_relation.empty')} />;
  return (
    <>
      <div className="list-tools" role="search">
        <SearchBox name="q" label={t('depot_relation.search')} />
      </div>
      {category || name ? (
        <Products category={category} name={name} byId={byId} depots={depots} />
      ) : (
        <Categories categories={categories} byId={byId} depots={depots} />
      )}
    </>
  );
}

function Categories({ categories, byId, depots }: Omit<ListsProps, 'category'>) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const parents = useMemo(() => new Set(categories.map((row) => row.parent_id)), [categories]);
  return (
    <DepotRows
      label={t('depot_relation.categories')}
      rows={categories}
      depots={depots}
      inherited={(row) => aboveCategory(row, byId, depots)}
      send={depotCalls.category}
      isBelow={(row) => Boolean(row.parent_id)}
      nameOf={(row) =>
        // A category opens either sub-categories, which are in this list, or products.
        parents.has(row.id) ? (
          <b>{row.name}</b>
        ) : (
          <Link className="row-link" to={url(KEY, row.id)}>
            {row.name}
          </Link>
        )
      }
    />
  );
}

interface ProductsProps {
  category: CategoryDepot | undefined;
  name: string;
  byId: ReadonlyMap<string, CategoryDepot>;
  depots: readonly DepotShort[];
}

function Products({ category, name, byId, depots }: ProductsProps) {
  const { t } = useTranslation();
  const [, search] = useSearch('q');
  const filter = {
    ...(category ? { product_category_id: category.id } : {}),
    ...(name ? { name } : {}),
  };
  const products = useProductDepots(filter);
  if (!products.data) return <QueryFallback query={products} rows={8} />;
  if (products.data.length === 0)
    return name ? (
      <NothingMatches onClear={() => search('')} />
    ) : (
      <EmptyState title={t('depot_relation.no_products')} text={t('depot_relation.no_products_text')} />
    );
  return (
    <DepotRows
      label={category ? t('depot_relation.products', { name: category.name }) : t('depot_relation.found')}
      rows={products.data}
      depots={depots}
      inherited={(row) => aboveProduct(byId.get(row.product_category_id), byId, depots)}
      send={depotCalls.product}
      nameOf={(row) => (
        <span className="cat-name-text">
          {row.name}
          {!category && <span className="cat-under">{byId.get(row.product_category_id)?.name}</span>}
        </span>
      )}
    />
  );
}
