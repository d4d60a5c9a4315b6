import { LeftOutlined, PlusOutlined, RightOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Input, Select } from 'antd';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { useCan } from '../../lib/access';
import { noEffectYet } from '../../generated/no-effect.gen';
import { labelOf } from '../../lib/fields/labels';
import { NoEffect } from '../../lib/fields/NoEffect';
import { ImageField } from '../../lib/media/ImageField';
import { usePageUrl } from '../../lib/navigation';
import { useRestaurant } from '../../lib/target';
import { Card, Chip, PageHeader } from '../../lib/ui/page';
import { ErrorState, Loading } from '../../lib/ui/states';
import { PageTitle } from './CategoryList';
import { productHomes } from './category';
import { pathLabel, productFacts } from './facts';
import {
  faultySubproducts,
  mergeProduct,
  newProduct,
  newSubproduct,
  productBody,
  productDraft,
  productFaults,
  productPath,
  type SubproductDraft,
} from './product';
import { keys, productCalls, useById, useProducts, useRefreshCatalogue } from './shared/api';
import { untranslated } from './shared/draft';
import { DraftPage } from '../../lib/form/DraftFrame';
import {
  ActiveField,
  ColorPicker,
  MoneyInput,
  TextPair,
  TriState,
  VatSelect,
  VisibilityFields,
} from './shared/fields';
import { FieldRow } from '../../lib/form/FieldRow';
import { categoryLevels, houseLevel, inherited } from './shared/inherit';
import { IconLink, Trail, useDelete } from './shared/parts';
import { AvailabilityField, PublicationField } from './shared/schedule';
import type { Product, ProductCategory } from './shared/types';
import { focusSoon } from '../../lib/form/fieldState';
import { useDraftForm } from '../../lib/form/useDraftForm';
import { Subproducts } from './Subproducts';
import { useWords } from './useWords';

const KEY = 'categories_and_products';
const RESOURCE = 'products';

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
  const one = useQuery({
    queryKey: keys.product(id ?? ''),
    queryFn: () => productCalls.get(id!, { category_id: category }),
    enabled: id !== undefined,
  });
  if (id !== undefined && one.isError && !one.data)
    return (
      <>
        <PageHeader />
        <Card flush>
          <ErrorState error={one.error} onRetry={() => void one.refetch()} />
        </Card>
      </>
    );
  if (id !== undefined && !one.data)
    return (
      <>
        <PageHeader />
        <Card flush>
          <Loading rows={8} />
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

function Form({
  categories,
  category,
  row,
  onAnother,
}: {
  categories: readonly ProductCategory[];
  category: string;
  row: Product | null;
  onAnother: () => void;
}) {
  const { t } = useTranslation();
  const can = useCan();
  const url = usePageUrl();
  const navigate = useNavigate();
  const restaurant = useRestaurant();
  const refresh = useRefreshCatalogue();
  const remove = useDelete();
  const words = useWords();
  const byId = useById(categories);
  const [query, setQuery] = useSearchParams();
  const fresh = useCallback(() => newProduct(category), [category]);

  // Which size is open stands in the address; a new one has no id yet and is only remembered here.
  const [opened, setOpened] = useState<string | undefined>(() => query.get('subproduct') ?? undefined);
  const openSize = (key: string | undefined) => {
    setOpened(key ?? '');
    setQuery(
      (old) => {
        const next = new URLSearchParams(old);
        if (key && !key.startsWith('new-')) next.set('subproduct', key);
        else next.delete('subproduct');
        return next;
      },
      { replace: true },
    );
  };

  const openPath = (path: string | undefined) => {
    const size = path?.startsWith('subproducts.') ? path.split('.')[1] : undefined;
    if (size) openSize(size);
  };

  const editor = useDraftForm({
    row,
    fresh,
    draftOf: productDraft,
    bodyOf: productBody,
    merge: mergeProduct,
    validate: productFaults,
    place: productPath,
    onFaults: ([first]) => openPath(first),
    send: async ({ id, body: { product_category_id: to, ...body }, key, take }) => {
      let known: Product | undefined;
      try {
        if (id === undefined)
          return (known = await productCalls.create(body, key, { category_id: String(to) }));
        // A changed category is a call of its own, after the rest is saved.
        const own = Object.keys(body).some((field) => field !== 'version');
        known = own ? await productCalls.update(id, body, { category_id: category }) : row!;
        if (to === undefined) return known;
        if (own) take(known);
        return (known = await productCalls.move(id, category, String(to)));
      } finally {
        if (known) void refresh({ key: keys.product(known.id), row: known });
      }
    },
  });
  const { draft, set, faults } = editor;
  const only = draft.subproducts.length === 1 ? draft.subproducts[0]! : undefined;
  const setSize = (key: string, change: Partial<SubproductDraft>) =>
    set(
      { subproducts: draft.subproducts.map((size) => (size.key === key ? { ...size, ...change } : size)) },
      `subproducts.${key}.${Object.keys(change)[0]}`,
    );
  const addSize = () => {
    const size = newSubproduct(draft.subproducts.at(-1));
    set({ subproducts: [...draft.subproducts, size] });
    openSize(size.key);
    setTimeout(() => document.getElementById(`field-subproducts.${size.key}.name`)?.focus(), 60);
  };

  const above = useMemo(
    () => [...categoryLevels(byId, draft.product_category_id), houseLevel(restaurant)],
    [byId, draft.product_category_id, restaurant],
  );
  const aboveSizes = useMemo(() => [{ origin: 'product' as const, own: draft }, ...above], [draft, above]);
  const mayEdit = can('catalog_edit');
  const home = byId.get(row?.product_category_id ?? category);
  const parent = home?.parent_id ? byId.get(home.parent_id) : undefined;
  const name = draft.name.trim() || t('products.new');
  const homes = productHomes(categories);
  const missing = restaurant.secondary_language
    ? untranslated(draft) + (only ? 0 : draft.subproducts.reduce((sum, size) => sum + untranslated(size), 0))
    : 0;
  const faulty = faultySubproducts(faults, only);

  return (
    <>
      <Trail
        steps={[
          { name: <PageTitle />, to: url(KEY) },
          ...(parent ? [{ name: parent.name, to: url(KEY, parent.id) }] : []),
          ...(home ? [{ name: home.name, to: url(KEY, home.id) }] : []),
          { name: row ? row.name : t('products.new') },
        ]}
      />
      <PageHeader
        title={name}
        tabTitle={name}
        mark={!draft.active && <Chip>{t('state.inactive')}</Chip>}
        actions={row && <Neighbours category={row.product_category_id} id={row.id} />}
      />
      <DraftPage
        form={editor}
        maySave={can('catalog_edit', 'catalog_activate')}
        mayEdit={mayEdit}
        factsOf={(d) => productFacts(d, words)}
        faultLabel={(path) => pathLabel(path, RESOURCE, draft)}
        reveal={(path) => {
          openPath(path);
          focusSoon(path);
        }}
        onSaved={(saved) => {
          // A size that was new has its id now.
          if (opened?.startsWith('new-'))
            openSize(saved.subproducts[draft.subproducts.findIndex((size) => size.key === opened)]?.id);
          if (!row || saved.product_category_id !== category)
            void navigate(url(KEY, `${saved.product_category_id}/${saved.id}`), { replace: true });
        }}
        onAnother={onAnother}
        onRemove={
          row && can('catalog_delete')
            ? () =>
                void remove(row, () => productCalls.remove(row.id, { category_id: category }), {
                  inUse: t('products.in_use'),
                  gone: [keys.product(row.id)],
                  leave: () => {
                    editor.clean();
                    return navigate(url(KEY, category));
                  },
                })
            : undefined
        }
      >
        <div className="edit-grid">
          <div className="edit-main">
            <Card
              title={t('catalogue.texts')}
              extra={
                missing > 0 && <Chip tone="info">{t('catalogue.untranslated', { number: missing })}</Chip>
              }
            >
              <TextPair
                resource={RESOURCE}
                field="name"
                value={{ ...draft }}
                onChange={set}
                required
                max={100}
                autoFocus={!row}
              />
              <TextPair
                resource={RESOURCE}
                field="description"
                value={{ ...draft }}
                onChange={set}
                long
                max={2000}
              />
              {only && (
                <FieldRow
                  path={`subproducts.${only.key}.price`}
                  label={labelOf(RESOURCE, 'base_price')}
                  required
                  help={t('products.base_price_help')}
                >
                  {(control) => (
                    <MoneyInput
                      control={control}
                      value={only.price}
                      onChange={(price) => setSize(only.key, { price })}
                    />
                  )}
                </FieldRow>
              )}
            </Card>
            <Subproducts
              draft={draft}
              above={aboveSizes}
              faulty={faulty}
              opened={opened ?? only?.key}
              onOpen={openSize}
              onChange={setSize}
              onSort={(subproducts) => set({ subproducts })}
              onAdd={addSize}
            />
            <Card title={t('catalogue.visibility')}>
              <p className="edit-lead">{t('catalogue.visibility_lead')}</p>
              <VisibilityFields value={draft} onChange={set} above={above} />
            </Card>
          </div>
          <div className="edit-side">
            <Card title={t('catalogue.state')}>
              <ActiveField
                value={draft.active}
                onChange={(active) => set({ active })}
                help={t('products.active_help')}
                allowed={row ? can('catalog_activate') : can('catalog_edit')}
              />
              <FieldRow path="product_category_id" label={labelOf(RESOURCE, 'product_category_id')} required>
                {(control) => (
                  <Select
                    {...control}
                    className="edit-wide"
                    disabled={!mayEdit}
                    showSearch={{ optionFilterProp: 'label' }}
                    value={draft.product_category_id}
                    onChange={(product_category_id) => set({ product_category_id })}
                    options={homes.map((h) => ({ value: h.id, label: h.path }))}
                  />
                )}
              </FieldRow>
              <ColorPicker
                path="pos_color_id"
                label={t('field.pos_color_id')}
                value={draft.pos_color_id}
                onChange={(pos_color_id) => set({ pos_color_id })}
                sample={draft.name}
              />
              <FieldRow
                path="ean_code"
                label={t('field.ean_code')}
                help={<NoEffect of={noEffectYet['Product.ean_code']} />}
              >
                {(control) => (
                  <Input
                    {...control}
                    disabled={!mayEdit}
                    maxLength={50}
                    inputMode="numeric"
                    autoComplete="off"
                    value={draft.ean_code}
                    onChange={(event) => set({ ean_code: event.target.value })}
                  />
                )}
              </FieldRow>
            </Card>
            <Card title={t('catalogue.picture')}>
              <FieldRow group path="image_id" label={labelOf(RESOURCE, 'image_id')}>
                {() => (
                  <ImageField
                    label={labelOf(RESOURCE, 'image_id')}
                    value={draft.image_id}
                    disabled={!mayEdit}
                    saved={row ? { id: row.image_id, image: row.image } : undefined}
                    onChange={(image_id) => set({ image_id })}
                  />
                )}
              </FieldRow>
            </Card>
            <Card title={t('catalogue.tax')}>
              <VatSelect
                path="vat_id"
                label={t('field.vat_id')}
                value={draft.vat_id}
                from={inherited(above, 'vat_id')}
                onChange={(vat_id) => set({ vat_id })}
              />
              <VatSelect
                path="sit_in_vat_id"
                label={t('field.sit_in_vat_id')}
                value={draft.sit_in_vat_id}
                from={inherited(above, 'sit_in_vat_id')}
                onChange={(sit_in_vat_id) => set({ sit_in_vat_id })}
              />
              <TriState
                path="has_tip"
                words="fee"
                note={<NoEffect of={noEffectYet['Product.has_tip']} />}
                label={t('field.has_tip')}
                value={draft.has_tip}
                from={inherited(above, 'has_tip')}
                onChange={(has_tip) => set({ has_tip })}
              />
            </Card>
            <Card title={t('catalogue.schedule')}>
              <AvailabilityField value={draft} onChange={(period) => set(period)} />
              <PublicationField value={draft.expected_at} onChange={(expected_at) => set({ expected_at })} />
            </Card>
          </div>
        </div>
      </DraftPage>
    </>
  );
}

/** To the product before and after in the category, and to a new one. */
function Neighbours({ category, id }: { category: string; id: string }) {
  const { t } = useTranslation();
  const can = useCan();
  const url = usePageUrl();
  const rows = useProducts(category).data ?? [];
  const at = rows.findIndex((row) => row.id === id);
  const to = (row: { id: string } | undefined) => row && url(KEY, `${category}/${row.id}`);
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
        <IconLink to={url(KEY, `${category}/new`)} icon={<PlusOutlined />} label={t('products.new')} />
      )}
    </>
  );
}
