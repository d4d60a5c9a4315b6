import { useCallback, useRef } from 'react';
import type { Discount } from '../../generated/model';
import { mergeFields } from '../../lib/form/body';
import { type DraftForm, useDraftForm } from '../../lib/form/useDraftForm';
import { useRestaurant } from '../../lib/target';
import { saveDiscount, saveUsages, useRefreshDiscounts } from './api';
import { discountBody, type DiscountDraft, discountDraft, newDiscount, type UsagesBody } from './draft';
import { discountFaults, discountFaultText, discountPath } from './rules';

export const DISCOUNTS = 'discounts';
export type DiscountForm = DraftForm<Discount, DiscountDraft>;

interface Options {
  row: Discount | null;
  /** The PIN that was entered for the customers, if any. */
  pin: string | undefined;
}

/** A promotion as a draft: saved in one call, then one call for each customer that is named or taken off. */
export function useDiscountForm({ row, pin }: Options): DiscountForm {
  const { id: here } = useRestaurant();
  const refresh = useRefreshDiscounts();
  /** A new promotion that is there already, while naming its customers failed. */
  const made = useRef<Discount>(undefined);
  const hasSeries = (row?.series_qty ?? 0) > 0;
  return useDraftForm<Discount, DiscountDraft>({
    row,
    fresh: useCallback(() => newDiscount(here), [here]),
    draftOf: discountDraft,
    bodyOf: discountBody,
    merge: mergeFields,
    validate: (draft) => discountFaults(draft, hasSeries),
    place: discountPath,
    faultText: discountFaultText,
    send: async ({ id, body: { usages, ...body }, key, take }) => {
      let known: Discount | undefined;
      try {
        const own = Object.keys(body).some((field) => field !== 'version');
        known = made.current
          ? await saveDiscount(made.current.id, { ...body, version: made.current.version }, key)
          : own
            ? await saveDiscount(id, body, key)
            : row!;
        if (!usages) return known;
        if (id === undefined) made.current = known;
        else if (own) take(known);
        await saveUsages(known.id, usages as UsagesBody, pin ?? '');
        return known;
      } finally {
        // How many are named is counted by the service.
        if (known) refresh(usages ? {} : { row: known });
      }
    },
  });
}
