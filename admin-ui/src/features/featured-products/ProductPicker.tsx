import { Select } from 'antd';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FeaturedProduct } from '../../generated/model';
import { categoryChoices } from '../categories-and-products/shared/categoryChoices';
import { useCategories } from '../categories-and-products/shared/api';
import { useProductChoices } from './api';
import { choicesOf } from './choices';
import { LABEL_SEARCH } from '../categories-and-products/shared/labelSearch';

interface Props {
  featured: readonly FeaturedProduct[];
  /** Resolves when the product is in the list, or was refused. */
  onPick: (product: { id: string; name: string }) => Promise<void>;
}

/** Searches the products that are not featured yet; the one that is chosen is added at once. */
export function ProductPicker({ featured, onPick }: Props) {
  const { t } = useTranslation();
  /** Those on their way, which cannot be chosen again. */
  const [adding, setAdding] = useState<readonly string[]>([]);
  const last = useRef(Promise.resolve());
  const latest = useRef(onPick);
  useEffect(() => {
    latest.current = onPick;
  });
  const products = useProductChoices();
  const categories = useCategories().data;
  const options = useMemo(() => {
    const names = new Map(categoryChoices(categories ?? []).map(({ id, label }) => [id, label]));
    const free = (products ?? []).filter(({ id }) => !adding.includes(id));
    return choicesOf(free, names, featured);
  }, [products, categories, featured, adding]);
  // One after the other, and never disabled: that would take the focus from whoever goes on typing.
  const pick = (id: string) => {
    const name = products?.find((product) => product.id === id)?.name ?? '';
    const add = async () => {
      await latest.current({ id, name });
      setAdding((ids) => ids.filter((one) => one !== id));
      // What was read anew is drawn before the next one is sent.
      await new Promise((drawn) => setTimeout(drawn));
    };
    setAdding((ids) => [...ids, id]);
    last.current = last.current.then(add, add);
  };
  return (
    <Select<string | null>
      aria-label={t('featured_products.add')}
      className="featured-picker"
      value={null}
      loading={adding.length > 0 || !products}
      placeholder={t('featured_products.search')}
      showSearch={LABEL_SEARCH}
      notFoundContent={
        products &&
        (products.length === 0
          ? t('featured_products.no_products')
          : options.length === 0
            ? t('featured_products.all_in')
            : t('state.no_match'))
      }
      options={options}
      onSelect={(id) => id && pick(id)}
    />
  );
}
