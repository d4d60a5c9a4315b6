import { Select } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FeaturedProduct } from '../../generated/model';
import { categoryChoices } from '../categories-and-products/shared/categoryChoices';
import { useCategories } from '../categories-and-products/shared/api';
import { useProductChoices } from './api';
import { choicesOf } from './choices';
import { plain } from '../../lib/plain';

interface Props {
  featured: readonly FeaturedProduct[];
  /** Resolves when the product is in the list, or was refused. */
  onPick: (product: { id: string; name: string }) => Promise<void>;
}

/** Searches the products that are not featured yet; the one that is chosen is added at once. */
export function ProductPicker({ featured, onPick }: Props) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const products = useProductChoices();
  const categories = useCategories().data;
  const options = useMemo(() => {
    const names = new Map(categoryChoices(categories ?? []).map(({ id, label }) => [id, label]));
    return choicesOf(products ?? [], names, featured);
  }, [products, categories, featured]);
  const pick = async (id: string) => {
    const name = products?.find((product) => product.id === id)?.name ?? '';
    setBusy(true);
    await onPick({ id, name });
    setBusy(false);
  };
  return (
    <Select<string | null>
      aria-label={t('featured_products.add')}
      className="featured-picker"
      value={null}
      disabled={busy}
      loading={busy || !products}
      placeholder={t('featured_products.search')}
      showSearch={{
        filterOption: (text, option) => plain(String(option?.label ?? '')).includes(plain(text.trim())),
      }}
      notFoundContent={
        products &&
        (products.length === 0
          ? t('featured_products.no_products')
          : options.length === 0
            ? t('featured_products.all_in')
            : t('state.no_match'))
      }
      options={options}
      onSelect={(id) => id && void pick(id)}
    />
  );
}
