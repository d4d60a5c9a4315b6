import { useTranslation } from 'react-i18next';
import { usePageUrl } from '../../lib/navigation';
import { EmptyState, NothingMatches, QueryFallback } from '../../lib/ui/states';
import { productCalls, useProductSearch } from './shared/api';
import { CatalogueList } from './shared/List';
import { ActiveToggle } from './shared/parts';
import { isShown, useShown } from './shared/shown';
import type { ProductCategory } from './shared/types';
import { Price } from './Price';

/** Matching products of all categories. */
export function ProductHits({
  name,
  byId,
  onClear,
}: {
  name: string;
  byId: ReadonlyMap<string, ProductCategory>;
  onClear: () => void;
}) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const shown = useShown();
  const found = useProductSearch(name);
  if (!found.data) return <QueryFallback query={found} rows={6} />;
  const rows = found.data.filter((row) => isShown(row, shown));
  if (rows.length === 0)
    return found.data.length > 0 ? (
      <EmptyState
        title={t('state.no_match')}
        text={t('catalogue.all_hidden', { count: found.data.length })}
      />
    ) : (
      <NothingMatches onClear={onClear} />
    );
  const path = (id: string) => {
    const category = byId.get(id);
    const parent = category?.parent_id ? byId.get(category.parent_id) : undefined;
    return [parent?.name, category?.name].filter(Boolean).join(' › ');
  };
  return (
    <>
      <CatalogueList
        rows={rows}
        label={t('products.found')}
        busy={found.isPlaceholderData}
        nameOf={(row) => row.name}
        href={(row) => url('categories_and_products', `${row.product_category_id}/${row.id}`)}
        under={(row) => <span className="cat-under">{path(row.product_category_id)}</span>}
        columns={[
          {
            key: 'sizes',
            title: t('products.subproducts'),
            wideOnly: true,
            render: (row) => (
              <span className="num cat-soft">{t('products.sizes', { count: row.subproducts.length })}</span>
            ),
          },
          {
            key: 'price',
            title: t('field.price'),
            align: 'right',
            render: (row) => <Price rows={row.subproducts} />,
          },
        ]}
        toggle={(row) => (
          <ActiveToggle
            row={row}
            save={(active) => productCalls.update(row.product_category_id, row.id, { active })}
          />
        )}
      />
      <footer className="list-foot">
        <span aria-live="polite">{t('list.total', { total: rows.length })}</span>
      </footer>
    </>
  );
}
