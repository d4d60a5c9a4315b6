import { type FormRule, Select } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { fields } from '../../generated/fields/product_category_upsells.gen';
import type { ProductCategoryUpsell } from '../../generated/model';
import { ResourcePage, type Column } from '../../lib/crud';
import { Chip } from '../../lib/ui/page';
import { useClear } from '../../lib/ui/clear';
import { useCategories } from '../categories-and-products/shared/api';
import { LABEL_SEARCH } from '../categories-and-products/shared/labelSearch';
import { categoryChoices } from '../categories-and-products/shared/categoryChoices';

/** Which category the shop suggests, after which one or to every cart. */
export default function CategoryUpsell() {
  const { t } = useTranslation();
  const columns: Column<ProductCategoryUpsell>[] = [
    { key: 'suggested_category_id', render: (row) => row.name },
    {
      key: 'product_category_id',
      render: (row) => row.product_category_name ?? t('product_category_upsells.any'),
    },
    {
      key: 'shown',
      title: t('product_category_upsells.shown'),
      render: ({ active }) => (
        <Chip tone={active ? 'success' : 'neutral'}>
          {t(active ? 'product_category_upsells.on' : 'product_category_upsells.hidden')}
        </Chip>
      ),
    },
  ];
  const nameOf = ({ name, product_category_name: after }: ProductCategoryUpsell) =>
    after
      ? t('product_category_upsells.pair', { name, after })
      : t('product_category_upsells.pair_any', { name });
  const another: FormRule = ({ getFieldValue }) => ({
    validator: async (_, value) => {
      if (value && value === getFieldValue('suggested_category_id'))
        throw new Error(t('product_category_upsells.itself'));
    },
  });
  return (
    <ResourcePage
      resource="product_category_upsells"
      fields={fields}
      lead={t('product_category_upsells.lead')}
      columns={columns}
      form={['suggested_category_id', 'product_category_id']}
      overrides={{
        suggested_category_id: { input: <CategorySelect placeholder={t('form.choose')} /> },
        product_category_id: {
          rules: [another],
          input: <CategorySelect placeholder={t('product_category_upsells.any')} clearable />,
        },
      }}
      nameOf={nameOf}
      history
      removal={(name) => ({
        verb: t('action.delete'),
        title: t('product_category_upsells.delete_title', { name }),
        effect: t('product_category_upsells.delete_effect'),
        done: t('state.deleted', { name }),
      })}
    />
  );
}

interface SelectProps {
  placeholder: string;
  clearable?: boolean;
  /** From the form. */
  id?: string;
  value?: string | null;
  onChange?: (value: string | null) => void;
}

/** One category, called with the one above it. */
function CategorySelect({ placeholder, clearable = false, value, onChange, ...control }: SelectProps) {
  const clear = useClear();
  const categories = useCategories();
  const options = useMemo(
    () => categoryChoices(categories.data ?? []).map(({ id, label }) => ({ value: id, label })),
    [categories.data],
  );
  return (
    <Select<string | null>
      {...control}
      allowClear={clearable ? clear : false}
      loading={categories.isFetching}
      showSearch={LABEL_SEARCH}
      placeholder={placeholder}
      value={value ?? null}
      onChange={(next?: string | null) => onChange?.(next ?? null)}
      options={options}
    />
  );
}
