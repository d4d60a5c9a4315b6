import { useTranslation } from 'react-i18next';
import { labelOf } from '../../lib/fields/labels';
import { Instant, TimeRangesField } from '../categories-and-products/shared/schedule';
import { type DiscountForm, DISCOUNTS } from './useDiscountForm';

/** From when to when one can order with it, and the times for which one orders. */
export function TimeFields({ form: { draft, set } }: { form: DiscountForm }) {
  const { t } = useTranslation();
  return (
    <>
      <div className="field-line">
        <Instant
          path="valid_from"
          label={labelOf(DISCOUNTS, 'valid_from')}
          value={draft.valid_from}
          onChange={(valid_from) => set({ valid_from }, 'valid_till')}
        />
        <Instant
          path="valid_till"
          label={labelOf(DISCOUNTS, 'valid_till')}
          help={t('discounts.valid_help')}
          value={draft.valid_till}
          onChange={(valid_till) => set({ valid_till })}
        />
      </div>
      <TimeRangesField
        value={draft.time_ranges}
        onChange={(time_ranges) => set({ time_ranges })}
        always={t('discounts.always')}
      />
    </>
  );
}
