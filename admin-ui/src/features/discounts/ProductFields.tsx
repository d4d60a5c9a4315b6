import { Radio, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Discount, DiscountSubproduct } from '../../generated/model';
import { labelOf } from '../../lib/fields/labels';
import { useLocked } from '../../lib/form/fieldState';
import { FieldRow } from '../../lib/form/FieldRow';
import { type Choice, optionsOf, sizeLabel, useSizeOptions } from '../categories-and-products/shared/sizes';
import { useCategoryChoices } from './api';
import { type DiscountForm, DISCOUNTS } from './useDiscountForm';

type Option = ReturnType<typeof optionsOf>[number];

/** How a size is called that the promotion names, also one that was archived. */
function useKnownLabel() {
  const { t } = useTranslation();
  return (label: string, archived: boolean) => (archived ? t('discounts.archived', { name: label }) : label);
}

/** Sizes that a saved promotion names: as its products and as its gifts. */
const namedSizes = (row: Discount | null | undefined): DiscountSubproduct[] => [
  ...(row?.subproducts ?? []),
  ...(row?.ranges ?? []).flatMap((range) => range.gifts.flatMap((gift) => gift.subproduct ?? [])),
];

/** Those as choices. */
export function useNamedSizes(row: Discount | null | undefined): Choice[] {
  const known = useKnownLabel();
  return namedSizes(row).map((size) => ({ id: size.id, label: known(sizeLabel(size), size.archived) }));
}

/** Which products count: all, some categories and sizes, or all but these. */
export function ProductFields({ form }: { form: DiscountForm }) {
  const { t } = useTranslation();
  const locked = useLocked();
  const known = useKnownLabel();
  const { draft, set, row } = form;
  const sizes = useSizeOptions(useNamedSizes(row));
  const categories = optionsOf(
    useCategoryChoices(),
    (row?.product_categories ?? []).map(({ id, name, archived }) => ({ id, label: known(name, archived) })),
  );
  const many = (field: 'product_category_ids' | 'subproduct_ids', options: Option[], help: string) => (
    <FieldRow path={field} label={labelOf(DISCOUNTS, field)} help={help}>
      {(control) => (
        <Select<string[]>
          {...control}
          className="edit-wide"
          mode="multiple"
          disabled={locked}
          showSearch={{ optionFilterProp: 'label' }}
          placeholder={t('form.choose')}
          value={draft[field]}
          // What is missing is said at the first of the two.
          onChange={(ids) => set({ [field]: ids }, 'product_category_ids')}
          options={options}
        />
      )}
    </FieldRow>
  );
  return (
    <>
      <FieldRow path="products_for" label={labelOf(DISCOUNTS, 'products_for')} group>
        {({ id }) => (
          <Radio.Group
            id={id}
            disabled={locked}
            value={draft.products_for ?? 'all'}
            onChange={(event) =>
              set({ products_for: event.target.value === 'all' ? null : event.target.value })
            }
            options={(['all', 'inclusion', 'exclusion'] as const).map((value) => ({
              value,
              label: t(`discounts.products_for.${value}`),
            }))}
          />
        )}
      </FieldRow>
      {draft.products_for && (
        <>
          {many('product_category_ids', categories, t('discounts.categories_help'))}
          {many('subproduct_ids', sizes, t('discounts.sizes_help'))}
        </>
      )}
    </>
  );
}
