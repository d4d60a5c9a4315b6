import { CloseOutlined } from '@ant-design/icons';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { FeaturedProduct } from '../../generated/model';
import { useCan } from '../../lib/access';
import { usePageUrl } from '../../lib/navigation';
import { later } from '../../lib/later';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Card, PageHeader } from '../../lib/ui/page';
import { EmptyState, Loading, QueryFallback } from '../../lib/ui/states';
import { SortButton, useSorting } from '../categories-and-products/shared/listActions';
import { useLiveCatalogue } from '../categories-and-products/shared/useLiveCatalogue';
import '../../lib/crud/list.css';
import '../categories-and-products/catalogue.css';
import './featured-products.css';
import { useFeatured, useFeaturedCalls } from './api';
import { Facts } from './Facts';
import { ProductPicker } from './ProductPicker';

const Sort = later(() => import('./Sort'));

/** The products that stand first in the shop: added from a picker, sorted by hand, removed. */
export default function FeaturedProducts() {
  const { t } = useTranslation();
  const sorting = useSorting();
  const featured = useFeatured();
  useLiveCatalogue();
  const rows = featured.data;
  const add = useAdd();
  const actions = rows && !sorting.on && <SortButton sorting={sorting} total={rows.length} />;
  return (
    <>
      <PageHeader lead={t('featured_products.lead')} actions={actions} />
      <Card flush className="list-card">
        {!rows && <QueryFallback query={featured} rows={6} />}
        {rows && sorting.on && (
          <Suspense fallback={<Loading />}>
            <Sort rows={rows} add={add} onDone={sorting.end} />
          </Suspense>
        )}
        {rows && !sorting.on && <List rows={rows} add={add} />}
      </Card>
    </>
  );
}

/** Adds a product as the last. */
function useAdd() {
  const { t } = useTranslation();
  const notify = useNotify();
  const { add, refresh } = useFeaturedCalls();
  return async ({ id, name }: { id: string; name: string }) => {
    try {
      await add(id);
      notify.success(t('featured_products.added', { name }));
    } catch (error) {
      notify.problem(error);
      // Somebody else may have featured or archived it.
      await refresh();
    }
  };
}

/** Removes a row. Whoever may add it again can take that back; others are asked before. */
function useRemove(rows: readonly FeaturedProduct[]) {
  const { t } = useTranslation();
  const can = useCan();
  const notify = useNotify();
  const { remove, restore, refresh } = useFeaturedCalls();
  return async (row: FeaturedProduct) => {
    const { name } = row;
    const before = rows.map(({ id }) => id);
    const mayAdd = can('catalog_edit');
    const sure =
      mayAdd ||
      (await notify.confirm({
        title: t('featured_products.remove_title', { name }),
        effect: t('featured_products.remove_effect'),
        verb: t('action.remove'),
      }));
    if (!sure) return;
    try {
      await remove(row.id);
    } catch (error) {
      notify.problem(error);
      await refresh();
      return;
    }
    const done = t('featured_products.removed', { name });
    if (mayAdd) notify.undo(done, () => restore(row, before));
    else notify.success(done);
  };
}

interface ListProps {
  rows: readonly FeaturedProduct[];
  add: (product: { id: string; name: string }) => Promise<void>;
}

function List({ rows, add }: ListProps) {
  const { t } = useTranslation();
  const picker = useCan()('catalog_edit') && <ProductPicker featured={rows} onPick={add} />;
  if (rows.length === 0)
    return (
      <EmptyState
        title={t('featured_products.empty_title')}
        text={t('featured_products.empty')}
        actions={picker || undefined}
      />
    );
  return (
    <>
      {picker && <div className="list-tools">{picker}</div>}
      <Rows rows={rows} />
      <footer className="list-foot">
        <span aria-live="polite">{t('list.total', { total: rows.length })}</span>
      </footer>
    </>
  );
}

function Rows({ rows }: { rows: readonly FeaturedProduct[] }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const remove = useRemove(rows);
  const mayRemove = useCan()('catalog_delete');
  return (
    <ol className="rank featured" aria-label={t('featured_products.list')}>
      {rows.map((row, index) => (
        <li key={row.id} className="rank-row" data-off={!row.active}>
          <span className="rank-number num">{index + 1}.</span>
          {row.image ? (
            <img src={row.image.small} alt="" loading="lazy" />
          ) : (
            <span className="featured-blank" aria-hidden />
          )}
          <div className="sort-body">
            <Link
              className="row-link rank-name"
              to={url('categories_and_products', `${row.product_category_id}/${row.product_id}`)}
            >
              {row.name}
            </Link>
            <Facts row={row} />
          </div>
          {mayRemove && (
            <Button
              type="text"
              icon={<CloseOutlined />}
              aria-label={t('featured_products.remove_of', { name: row.name })}
              onClick={() => void remove(row)}
            />
          )}
        </li>
      ))}
    </ol>
  );
}
