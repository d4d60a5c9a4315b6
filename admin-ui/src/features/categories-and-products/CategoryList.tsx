import {
  DeleteOutlined,
  EditOutlined,
  ImportOutlined,
  OrderedListOutlined,
  PlusOutlined,
  RightOutlined,
  SettingOutlined,
} from '@ant-design/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useCan } from '../../lib/access';
import { usePage, usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { Card, PageHeader } from '../../lib/ui/page';
import { EmptyState, ErrorState, NothingMatches } from '../../lib/ui/states';
import { ProductHits } from './ProductHits';
import { useEditUrl } from './links';
import { categoryCalls, useById, useCategories } from './shared/api';
import { hiddenOn } from './shared/inherit';
import { CatalogueList } from './shared/List';
import {
  ActiveToggle,
  ColorDot,
  HeadAction,
  HiddenChip,
  isTimed,
  TimeChips,
  Trail,
  useDelete,
} from './shared/parts';
import { isShown, setShown, useShown } from './shared/shown';
import { SortCard } from './shared/SortCard';
import { SearchBox, ShownBoxes, useSearch } from './shared/Toolbar';
import type { ProductCategory } from './shared/types';

const KEY = 'categories_and_products';

/** The top level of the menu, or the sub-categories of one category. */
export function CategoryList({
  categories,
  parent,
}: {
  categories: readonly ProductCategory[];
  parent: ProductCategory | undefined;
}) {
  const { t } = useTranslation();
  const can = useCan();
  const { feature } = usePage();
  const url = usePageUrl();
  const editUrl = useEditUrl();
  const navigate = useNavigate();
  const remove = useDelete();
  const shown = useShown();
  const byId = useById(categories);
  const [sorting, setSorting] = useState(false);
  const [name, searchName] = useSearch('q');
  const [product, searchProduct] = useSearch('product');
  const found = useCategories(name || undefined);

  const siblings = categories.filter((row) => row.parent_id === (parent?.id ?? null));
  const searching = name !== '';
  const rows = (
    searching ? (found.data ?? []).filter((row) => !parent || row.parent_id === parent.id) : siblings
  ).filter((row) => isShown(row, shown));
  const mayEdit = can('catalog_edit');
  const lang = feature?.title;
  const newUrl = `${url(KEY, 'new')}${parent ? `?parent=${parent.id}` : ''}`;
  const parentName = (row: ProductCategory) =>
    row.parent_id && searching ? byId.get(row.parent_id)?.name : undefined;

  const deleteRow = (row: ProductCategory) =>
    remove(row, () => categoryCalls.remove(row.id), {
      inUse:
        row.children_count > 0
          ? t('product_categories.in_use_children', { count: row.children_count })
          : t('product_categories.in_use_products', { count: row.product_count }),
    });

  const header = (
    <>
      {parent && <Trail steps={[{ name: <PageTitle />, to: url(KEY) }, { name: parent.name }]} />}
      <PageHeader
        title={parent?.name}
        lead={parent ? undefined : t('product_categories.lead')}
        actions={
          !sorting && (
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
              {mayEdit && siblings.length > 1 && (
                <HeadAction
                  icon={<OrderedListOutlined />}
                  label={t('list.sort')}
                  onClick={() => {
                    searchName('');
                    setSorting(true);
                  }}
                />
              )}
              {mayEdit && (
                <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate(newUrl)}>
                  {t(parent ? 'product_categories.new_child' : 'product_categories.new')}
                </Button>
              )}
            </>
          )
        }
      />
    </>
  );

  if (sorting) {
    return (
      <>
        {header}
        <SortCard
          rows={siblings}
          nameOf={(row) => row.name}
          send={(ids) => categoryCalls.rank(ids)}
          onDone={() => setSorting(false)}
        >
          {(row) => (
            <>
              <ColorDot row={row} rows={siblings} />
              <span className="rank-name">{row.name}</span>
              <span className="sort-fact">
                {row.children_count > 0
                  ? t('product_categories.children', { count: row.children_count })
                  : t('product_categories.products', { count: row.product_count })}
              </span>
            </>
          )}
        </SortCard>
      </>
    );
  }

  const list = (
    <CatalogueList
      rows={rows}
      label={parent?.name ?? lang?.hu ?? ''}
      busy={found.isPlaceholderData}
      nameOf={(row) => row.name}
      href={(row) => url(KEY, row.id)}
      lead={(row) => <ColorDot row={row} rows={rows} />}
      under={(row) =>
        parentName(row) || row.name_sec_lang ? (
          <span className="cat-under">
            {[parentName(row), row.name_sec_lang].filter(Boolean).join(' · ')}
          </span>
        ) : null
      }
      columns={[
        {
          key: 'contents',
          title: t('product_categories.contents'),
          render: (row) => (
            <span className="num cat-soft">
              {row.children_count > 0
                ? t('product_categories.children', { count: row.children_count })
                : t('product_categories.products', { count: row.product_count })}{' '}
              {row.children_count > 0 && <RightOutlined aria-hidden />}
            </span>
          ),
        },
        {
          key: 'limits',
          title: t('catalogue.limits'),
          filled: (row) => isTimed(row) || hiddenOn(row.effective).length > 0,
          render: (row) => (
            <span className="chips">
              <HiddenChip channels={hiddenOn(row.effective)} />
              <TimeChips row={row} />
            </span>
          ),
        },
      ]}
      toggle={(row) => (
        <ActiveToggle
          row={row}
          save={(active) => categoryCalls.update(row.id, { active, version: row.version })}
        />
      )}
      menu={(row) => [
        {
          key: 'edit',
          icon: <EditOutlined />,
          label: <Link to={editUrl(row.id)}>{t('product_categories.settings')}</Link>,
        },
        ...(mayEdit && row.children_count === 0
          ? [
              {
                key: 'product',
                icon: <PlusOutlined />,
                label: <Link to={url(KEY, `${row.id}/new`)}>{t('products.new')}</Link>,
              },
            ]
          : []),
        ...(mayEdit && row.parent_id === null && row.product_count === 0
          ? [
              {
                key: 'child',
                icon: <PlusOutlined />,
                label: (
                  <Link to={`${url(KEY, 'new')}?parent=${row.id}`}>{t('product_categories.new_child')}</Link>
                ),
              },
            ]
          : []),
        ...(can('catalog_delete')
          ? [
              { type: 'divider' as const },
              {
                key: 'delete',
                danger: true,
                icon: <DeleteOutlined />,
                label: t('action.delete'),
                onClick: () => void deleteRow(row),
              },
            ]
          : []),
      ]}
    />
  );

  let body;
  if (product) body = <ProductHits name={product} byId={byId} onClear={() => searchProduct('')} />;
  else if (searching && found.isError && !found.data)
    body = <ErrorState error={found.error} onRetry={() => void found.refetch()} />;
  else if (rows.length > 0) body = list;
  else if (searching || siblings.length > 0)
    body = (
      <NothingMatches
        onClear={() => {
          searchName('');
          setShown({ active: true, inactive: true });
        }}
      />
    );
  else
    body = (
      <EmptyState
        title={t('list.empty')}
        text={t('product_categories.empty')}
        actions={
          mayEdit && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate(newUrl)}>
              {t('product_categories.new')}
            </Button>
          )
        }
      />
    );

  return (
    <>
      {header}
      <Card flush className="list-card">
        {(siblings.length > 0 || searching || product) && (
          <div className="list-tools" role="search">
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
    </>
  );
}

/** The screen's own title, as the first step of a trail. */
export function PageTitle() {
  const { i18n } = useTranslation();
  const { feature } = usePage();
  return <>{feature?.title[i18n.language === 'en' ? 'en' : 'hu']}</>;
}
