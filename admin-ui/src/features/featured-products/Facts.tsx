import { useTranslation } from 'react-i18next';
import type { FeaturedProduct } from '../../generated/model';
import { Chip } from '../../lib/ui/page';
import { Price } from '../categories-and-products/Price';

/** Whether guests see it, and what it costs. */
export function Facts({ row: { active, lowest_price: low, highest_price: high } }: { row: FeaturedProduct }) {
  const { t } = useTranslation();
  return (
    <>
      {!active && <Chip tone="warning">{t('featured_products.hidden')}</Chip>}
      <Price rows={[low, high].flatMap((price) => (price == null ? [] : [{ price }]))} />
    </>
  );
}
