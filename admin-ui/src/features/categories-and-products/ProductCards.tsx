import { Select } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../lib/access';
import { labelOf } from '../../lib/fields/labels';
import { FieldRow } from '../../lib/form/FieldRow';
import { ImageField } from '../../lib/media/ImageField';
import { useRestaurant } from '../../lib/target';
import { Chip } from '../../lib/ui/page';
import { useEditUrl } from './links';
import { faultySubproducts, newSubproduct, type ProductDraft, type SubproductDraft } from './product';
import { OffAbove } from './shared/cards';
import { untranslated } from './shared/draft';
import { ExternalIds } from './shared/ExternalIds';
import { PRODUCT_IDS } from './shared/externalIds';
import { ActiveField, EanField, MoneyInput, TextPair } from './shared/fields';
import { FoldedGroup, Group } from './shared/Group';
import { PRODUCT } from './shared/groups';
import type { Level } from './shared/inherit';
import { ColorPicker } from './shared/pickers';
import { useColorSummary, useIdsSummary } from './shared/summaries';
import type { ProductCategory } from './shared/types';
import { Subproducts } from './Subproducts';
import { type OpenSize, type ProductForm, PRODUCTS } from './useProductForm';

interface Props {
  form: ProductForm;
}

/** The only size of a product: its price stands with the product's texts. */
const onlySize = ({ subproducts }: ProductDraft): SubproductDraft | undefined =>
  subproducts.length === 1 ? subproducts[0] : undefined;

const setSize = ({ draft, set }: ProductForm, key: string, change: Partial<SubproductDraft>) =>
  set(
    { subproducts: draft.subproducts.map((size) => (size.key === key ? { ...size, ...change } : size)) },
    `subproducts.${key}.${Object.keys(change)[0]}`,
  );

/** Name, description and picture: what guests see. */
export function NameGroup({ form }: Props) {
  const { t } = useTranslation();
  const second = useRestaurant().secondary_language;
  const { draft, set } = form;
  const texts = [draft, ...(onlySize(draft) ? [] : draft.subproducts)];
  const missing = second ? texts.reduce((sum, one) => sum + untranslated(one), 0) : 0;
  const common = { resource: PRODUCTS, value: { ...draft }, onChange: set };
  return (
    <Group
      title={t('editor.name')}
      extra={missing > 0 && <Chip tone="info">{t('catalogue.untranslated', { number: missing })}</Chip>}
    >
      <TextPair {...common} field="name" required max={100} />
      <TextPair {...common} field="description" long max={2000} />
      <Picture form={form} />
    </Group>
  );
}

function Picture({ form: { row, draft, set } }: Props) {
  const mayEdit = useCan()('catalog_edit');
  return (
    <FieldRow group path="image_id" label={labelOf(PRODUCTS, 'image_id')}>
      {() => (
        <ImageField
          label={labelOf(PRODUCTS, 'image_id')}
          value={draft.image_id}
          disabled={!mayEdit}
          saved={row ? { id: row.image_id, image: row.image } : undefined}
          onChange={(image_id) => set({ image_id })}
        />
      )}
    </FieldRow>
  );
}

/** The price of a product of one size. */
function OnlyPrice({ form, only }: Props & { only: SubproductDraft }) {
  const { t } = useTranslation();
  return (
    <FieldRow
      path={`subproducts.${only.key}.price`}
      label={labelOf(PRODUCTS, 'base_price')}
      required
      help={t('products.base_price_help')}
    >
      {(control) => (
        <MoneyInput
          control={control}
          value={only.price}
          onChange={(price) => setSize(form, only.key, { price })}
        />
      )}
    </FieldRow>
  );
}

/** Its sizes with their prices, options and allergens. */
export function Sizes({ form, above, sizes }: Props & { above: readonly Level[]; sizes: OpenSize }) {
  const { draft, set, faults } = form;
  const only = onlySize(draft);
  const levels = useMemo(() => [{ origin: 'product' as const, own: draft }, ...above], [draft, above]);
  const add = () => {
    const size = newSubproduct(draft.subproducts.at(-1));
    set({ subproducts: [...draft.subproducts, size] });
    sizes.open(size.key);
    setTimeout(() => document.getElementById(`field-subproducts.${size.key}.name`)?.focus(), 60);
  };
  return (
    <Subproducts
      draft={draft}
      price={only && <OnlyPrice form={form} only={only} />}
      above={levels}
      faulty={faultySubproducts(faults, only)}
      opened={sizes.opened ?? only?.key}
      onOpen={sizes.open}
      onChange={(key, change) => setSize(form, key, change)}
      onSort={(subproducts) => set({ subproducts })}
      onAdd={add}
    />
  );
}

/** Whether it is on, and in which category. */
export function PlaceGroup({
  form,
  homes,
  chain,
}: Props & { homes: readonly { id: string; path: string }[]; chain: readonly ProductCategory[] }) {
  const { t } = useTranslation();
  const can = useCan();
  const edit = useEditUrl();
  const mayEdit = can('catalog_edit');
  const { draft, set, isNew } = form;
  return (
    <Group title={t('editor.place')}>
      <OffAbove rows={chain} edit={edit} />
      <ActiveField
        value={draft.active}
        onChange={(active) => set({ active })}
        help={t('products.active_help')}
        allowed={isNew ? mayEdit : can('catalog_activate')}
      />
      <FieldRow path="product_category_id" label={labelOf(PRODUCTS, 'product_category_id')} required>
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
    </Group>
  );
}

/** How the till shows it, and how scanners and other systems know it. */
export function TillGroup({ form: { draft, set } }: Props) {
  const { t } = useTranslation();
  const colorSaid = useColorSummary();
  const idsSaid = useIdsSummary();
  return (
    <FoldedGroup
      title={t('editor.till_systems')}
      said={[
        ...colorSaid(draft.pos_color_id),
        ...(draft.ean_code ? [t('editor.said', { label: t('field.ean_code'), value: draft.ean_code })] : []),
        ...idsSaid(PRODUCTS, PRODUCT_IDS, draft),
      ]}
      fields={PRODUCT.till}
    >
      <ColorPicker
        path="pos_color_id"
        label={t('field.pos_color_id')}
        value={draft.pos_color_id}
        onChange={(pos_color_id) => set({ pos_color_id })}
        sample={draft.name}
      />
      <EanField
        path="ean_code"
        value={draft.ean_code}
        help={t('catalogue.ean_help')}
        onChange={(ean_code) => set({ ean_code })}
      />
      <ExternalIds resource={PRODUCTS} fields={PRODUCT_IDS} value={draft} onChange={set} />
    </FoldedGroup>
  );
}
