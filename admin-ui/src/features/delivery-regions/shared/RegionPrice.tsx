import { useTranslation } from 'react-i18next';
import { type Amount, useFormat } from '../../../lib/format';

export interface Prices {
  price: Amount;
  threshold_price?: Amount;
  price_under_threshold?: Amount;
}

/** What a delivery costs, and what it costs at least for a small order. */
export function RegionPrice({ price, threshold_price, price_under_threshold }: Prices) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const small = Number(threshold_price ?? 0) > 0 && Number(price_under_threshold ?? 0) > Number(price ?? 0);
  return (
    <span className="dr-price">
      <span className="num">{money(price)}</span>
      {small && (
        <span className="edit-help">
          {t('delivery_regions.under', {
            threshold: money(threshold_price),
            price: money(price_under_threshold),
          })}
        </span>
      )}
    </span>
  );
}
