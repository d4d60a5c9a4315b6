import { CopyOutlined, LeftOutlined, PlusOutlined, RightOutlined } from '@ant-design/icons';
import { Tooltip } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { productsDelete } from '../../generated/client/catalogue/catalogue';
import { useCan } from '../../lib/access';
import { DraftPage } from '../../lib/form/DraftFrame';
import { focusSoon } from '../../lib/form/fieldState';
import { usePageUrl } from '../../lib/navigation';
import { useRead } from '../../lib/query';
import { here, useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { Card, Chip, PageHeader } from '../../lib/ui/page';
import { QueryFallback } from '../../lib/ui/states';
import { productHomes } from './category';
import { pathLabel, productFacts } from './facts';
import { NameGroup, PlaceGroup, Sizes, TillGroup } from './ProductCards';
import { keys, productCalls, useById, useProducts, whoChanged } from './shared/api';
import { TaxGroup, WhereGroup } from './shared/cards';
import { PRODUCT } from './shared/groups';
import { categoryLevels, chainOf, restaurantLevel } from './shared/inherit';
import { IconLink, PageTitle, Trail, useDelete } from './shared/parts';
import type { Product, ProductCategory } from './shared/types';
import { useCopyProduct } from './useCopyProduct';
import { PRODUCTS, useOpenSize, useProductForm } from './useProductForm';
import { useWords } from './useWords';

const KEY = 'categories_and_products';

interface Props {
  categories: readonly ProductCategory[];
  /** The category in the address. */
  category: string;
  /** None: a new product. */
  id: string | undefined;
}

/** A product with its sizes. */
export function ProductEditor({ categories, category, id }: Props) {
  const [generation, setGeneration] = useState(0);
  const one = useRead(
    // Where it is known to be: after a move the address still has the category that it was in.
    keys.product(id ?? ''),
    ({ client }) =>
      productCalls.get(client.getQueryData<Product>(keys.product(id!))?.product_category_id ?? category, id!),
    { enabled: id !== undefined },
  );
  if (id !== undefined && !one.data)
    return (
      <>
        <PageHeader />
        <Card flush>
          <QueryFallback query={one} rows={8} />
        </Card>
      </>
    );
  return (
    <Form
      key={generation}
      categories={categories}
      category={category}
      row={id === undefined ? null : one.data!}
      onAnother={() => setGeneration((g) => g + 1)}
    />
  );
}

interface FormProps {
  categories: readonly ProductCategory[];
  category: string;
  row: Product | null;
  onAnother: () => void;
}

function Form({ categories, category, row, onAnother }: FormProps) {
  const { t } = useTranslation();
  const can = useCan();
  const url = usePageUrl();
  const navigate = useNavigate();
  const restaurant = useRestaurant();
  const words = useWords();
  const byId = useById(categories);
  const sizes = useOpenSize();
  const form = useProductForm({ category, row, onFaults: ([first]) => sizes.openPath(first) });
  const remove = useRemove({ category, row, clean: form.clean });
  const { draft, set } = form;
  const chain = chainOf(byId, draft.product_category_id);
  const above = useMemo(
    () => [...categoryLevels(byId, draft.product_category_id), restaurantLevel(restaurant)],
    [byId, draft.product_category_id, restaurant],
  );
  const home = byId.get(row?.product_category_id ?? category);
  const name = draft.name.trim() || t('products.new');
  const steps = useSteps(home, home?.parent_id ? byId.get(home.parent_id) : undefined, row);
  return (
    <>
      <Trail steps={steps} />
      <PageHeader
        title={name}
        tabTitle={name}
        mark={!draft.active && <Chip>{t('state.inactive')}</Chip>}
        actions={row && <Neighbours row={row} dirty={form.dirty} />}
      />
      <DraftPage
        form={form}
        whoChanged={whoChanged}
        maySave={can('catalog_edit', 'catalog_activate')}
        mayEdit={can('catalog_edit')}
        factsOf={(d) => productFacts(d, words)}
        faultLabel={(path) => pathLabel(path, PRODUCTS, draft)}
        reveal={(path) => {
          sizes.openPath(path);
          focusSoon(path);
        }}
        onSaved={(saved) => {
          sizes.afterSave(draft, saved);
          if (!row || saved.product_category_id !== category)
            void navigate(url(KEY, `${saved.product_category_id}/${saved.id}`), { replace: true });
        }}
        onAnother={onAnother}
        onRemove={remove}
      >
        <div className="edit-grid">
          <div className="edit-main">
            <NameGroup form={form} />
            <Sizes form={form} above={above} sizes={sizes} />
          </div>
          <div className="edit-side">
            <PlaceGroup form={form} homes={productHomes(categories)} chain={chain} />
            <WhereGroup form={form} above={above} chain={chain} fields={PRODUCT.where} />
            <TaxGroup
              value={draft}
              onChange={set}
              above={above}
              fields={PRODUCT.tax}
              lead={t('editor.tax_lead')}
            />
            <TillGroup form={form} />
          </div>
        </div>
      </DraftPage>
    </>
  );
}

/** The way from the catalogue to the product. */
function useSteps(
  home: ProductCategory | undefined,
  parent: ProductCategory | undefined,
  row: Product | null,
) {
  const { t } = useTranslation();
  const url = usePageUrl();
  return [
    { name: <PageTitle />, to: url(KEY) },
    ...(parent ? [{ name: parent.name, to: url(KEY, parent.id) }] : []),
    ...(home ? [{ name: home.name, to: url(KEY, home.id) }] : []),
    { name: row ? row.name : t('products.new') },
  ];
}

/** Deletes the product, where that is allowed. */
function useRemove({ category, row, clean }: { category: string; row: Product | null; clean: () => void }) {
  const { t } = useTranslation();
  const can = useCan();
  const url = usePageUrl();
  const navigate = useNavigate();
  const remove = useDelete();
  if (!row || !can('catalog_delete')) return undefined;
  return () =>
    void remove(row, () => productsDelete(...here(), category, row.id), {
      inUse: t('products.in_use'),
      gone: [keys.product(row.id)],
      leave: () => {
        clean();
        return navigate(url(KEY, category));
      },
    });
}

/** To the product before and after in the category, to a copy, and to a new one. */
function Neighbours({ row, dirty }: { row: Product; dirty: boolean }) {
  const { t } = useTranslation();
  const can = useCan();
  const url = usePageUrl();
  const copy = useCopyProduct();
  const { id, product_category_id: category } = row;
  const rows = useProducts(category).data ?? [];
  const at = rows.findIndex((other) => other.id === id);
  const to = (other: { id: string } | undefined) => other && url(KEY, `${category}/${other.id}`);
  return (
    <>
      {rows.length > 1 && (
        <span className="neighbours">
          <IconLink to={to(rows[at - 1])} icon={<LeftOutlined />} label={t('products.previous')} />
          <span className="num cat-soft">{t('products.nth', { place: at + 1, total: rows.length })}</span>
          <IconLink to={to(rows[at + 1])} icon={<RightOutlined />} label={t('products.next')} />
        </span>
      )}
      {can('catalog_edit') && (
        <>
          {/* What is not saved yet would not be copied. */}
          <Tooltip title={t('catalogue.copy')}>
            <Button
              type="text"
              icon={<CopyOutlined />}
              aria-label={t('catalogue.copy')}
              disabled={dirty}
              onClick={() => void copy(row)}
            />
          </Tooltip>
          <IconLink to={url(KEY, `${category}/new`)} icon={<PlusOutlined />} label={t('products.new')} />
        </>
      )}
    </>
  );
}
