import {
  DeleteOutlined,
  EditOutlined,
  OrderedListOutlined,
  PlusOutlined,
  SettingOutlined,
} from '@ant-design/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useCan } from '../../lib/access';
import { useFormat } from '../../lib/format';
import { usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { Card, Chip, PageHeader } from '../../lib/ui/page';
import { EmptyState } from '../../lib/ui/states';
import { PageTitle } from './CategoryList';
import { useEditUrl } from './links';
import { Price } from './Price';
import { categoryCalls, keys, productCalls, useProducts } from './shared/api';
import { FoundCard } from './shared/FoundCard';
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
import { isShown, useShown } from './shared/shown';
import { SortCard } from './shared/SortCard';
import { useSearch } from './shared/Toolbar';
import type { Product, ProductCategory } from './shared/types';

const KEY = 'categories_and_products';

/** The products of a category without sub-categories. */
export function ProductList({
  categories,
  category,
}: {
  categories: readonly ProductCategory[];
  category: ProductCategory | undefined;
}) {
  const { t } = useTranslation();
  const can = useCan();
  const { percent } = useFormat();
  const url = usePageUrl();
  const editUrl = useEditUrl();
  const navigate = useNavigate();
  const remove = useDelete();
  const shown = useShown();
  const [sorting, setSorting] = useState(false);
  const [name, searchName] = useSearch('q');
  const id = category?.id ?? '';
  const all = useProducts(id, undefined, category !== undefined);
  const found = useProducts(id, name || undefined, category !== undefined);

  const parent = category?.parent_id ? categories.find((row) => row.id === category.parent_id) : undefined;
  const trail = (
    <Trail
      steps={[
        { name: <PageTitle />, to: url(KEY) },
        ...(parent ? [{ name: parent.name, to: url(KEY, parent.id) }] : []),
        { name: category?.name ?? t('product_categories.gone') },
      ]}
    />
  );
  if (!category) {
    return (
      <>
        {trail}
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

  const mayEdit = can('catalog_edit');
  const params = { category_id: category.id };
  const newUrl = url(KEY, `${category.id}/new`);
  const rows = (found.data ?? []).filter((row) => isShown(row, shown));
  const newButton = mayEdit && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate(newUrl)}>
      {t('products.new')}
    </Button>
  );
  const deleteRow = (row: Product) =>
    remove(row, () => productCalls.remove(row.id, params), { inUse: t('products.in_use') });
  const deleteCategory = () =>
    remove(category, () => categoryCalls.remove(category.id), {
      inUse: t('product_categories.in_use_products', { count: category.product_count }),
      gone: [keys.allProducts(category.id)],
      leave: () => navigate(url(KEY, parent?.id)),
    });

  const header = (
    <>
      {trail}
      <PageHeader
        title={category.name}
        mark={!category.active && <Chip>{t('state.inactive')}</Chip>}
        actions={
          !sorting && (
            <>
              <HeadAction
                icon={<SettingOutlined />}
                label={t('product_categories.settings')}
                to={editUrl(category.id)}
              />
              {mayEdit && (all.data?.length ?? 0) > 1 && (
                <HeadAction
                  icon={<OrderedListOutlined />}
                  label={t('list.sort')}
                  onClick={() => {
                    searchName('');
                    setSorting(true);
                  }}
                />
              )}
              {newButton}
            </>
          )
        }
      />
    </>
  );

  if (sorting && all.data) {
    return (
      <>
        {header}
        <SortCard
          rows={all.data}
          nameOf={(row) => row.name}
          send={(ids) => productCalls.rank(ids, params)}
          onDone={() => setSorting(false)}
        >
          {(row) => (
            <>
              <ColorDot row={row} rows={all.data ?? []} />
              <span className="rank-name">{row.name}</span>
              {!row.active && <Chip>{t('state.inactive')}</Chip>}
              <span className="sort-fact">
                <Price rows={row.subproducts} />
              </span>
            </>
          )}
        </SortCard>
      </>
    );
  }

  return (
    <>
      {header}
      <FoundCard
        found={found}
        rows={rows}
        all={all.data?.length ?? 0}
        label={t('products.search')}
        empty={
          <EmptyState
            title={t('products.none')}
            text={t('products.empty')}
            actions={
              <>
                {newButton}
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
        }
      >
        <CatalogueList
          rows={rows}
          label={category.name}
          busy={found.isPlaceholderData}
          nameOf={(row) => row.name}
          href={(row) => url(KEY, `${category.id}/${row.id}`)}
          lead={(row) => <ColorDot row={row} rows={rows} />}
          under={(row) => {
            const text =
              row.subproducts.length > 1
                ? row.subproducts.map((s) => s.name).join(' · ')
                : (row.description ?? row.name_sec_lang);
            return text ? <span className="cat-under">{text}</span> : null;
          }}
          columns={[
            {
              key: 'limits',
              title: t('catalogue.limits'),
              filled: (row) =>
                isTimed(row) ||
                hiddenOn(row.effective).length > 0 ||
                row.subproducts.some((s) => s.sellable_quantity !== null),
              render: (row) => (
                <span className="chips">
                  <HiddenChip channels={hiddenOn(row.effective)} />
                  <TimeChips row={row} />
                  <Quantities product={row} />
                </span>
              ),
            },
            {
              key: 'vat',
              title: t('field.vat_id'),
              align: 'right',
              wideOnly: true,
              render: (row) => <span className="num cat-soft">{percent(row.effective.vat.percent)}</span>,
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
              save={(active) => productCalls.update(row.id, { active, version: row.version }, params)}
            />
          )}
          menu={(row) => [
            {
              key: 'edit',
              icon: <EditOutlined />,
              label: <Link to={url(KEY, `${category.id}/${row.id}`)}>{t('action.edit')}</Link>,
            },
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
      </FoundCard>
    </>
  );
}

/** What is counted: sold out, or how many are left. */
function Quantities({ product }: { product: Product }) {
  const { t } = useTranslation();
  const counted = product.subproducts.filter((row) => row.sellable_quantity !== null);
  if (counted.length === 0) return null;
  const out = counted.filter((row) => row.sellable_quantity === 0).length;
  if (out > 0)
    return (
      <Chip tone="error">
        {out === product.subproducts.length
          ? t('products.sold_out')
          : t('products.some_sold_out', { count: out })}
      </Chip>
    );
  return counted.length === 1 && product.subproducts.length === 1 ? (
    <Chip tone="info">{t('products.left', { count: counted[0]!.sellable_quantity ?? 0 })}</Chip>
  ) : (
    <Chip tone="info">{t('products.counted')}</Chip>
  );
}
