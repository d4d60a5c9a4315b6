import { Select } from 'antd';
import { type KeyboardEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocked } from '../../lib/form/fieldState';
import { FieldRow } from '../../lib/form/FieldRow';
import { useRegionNames } from '../order-taking/api';
import type { PhoneOrder } from './usePhoneOrder';

interface Props {
  order: Pick<PhoneOrder, 'form' | 'region'>;
  required: boolean;
}

/**
 * Tab leaves an open list; antd would take the marked choice and stay. What was typed into the search is meant, and
 * taken.
 */
function useTab(choose: (id: string) => void) {
  const marked = useRef<string | null>(null);
  return {
    onActive: (id: string | null) => {
      marked.current = id;
    },
    onKeyDown: (event: KeyboardEvent) => {
      const field = event.target as HTMLInputElement;
      if (event.key !== 'Tab' || field.getAttribute('aria-expanded') !== 'true') return;
      event.stopPropagation();
      if (field.value && marked.current !== null) choose(marked.current);
    },
  };
}

/** A region that somebody chooses; the order says who. Where the place is unknown, at first the default. */
export function ByHand({ order: { form, region }, required }: Props) {
  const { t } = useTranslation();
  const locked = useLocked();
  const regions = useRegionNames(true).data?.filter(({ active }) => active);
  const choose = (id: string | null) => form.set({ by_hand: true, delivery_region_id: id });
  const tab = useTab(choose);
  return (
    <FieldRow
      path="delivery_region_id"
      label={t('phone_orders.region')}
      help={region.fallback && t('phone_orders.region_default')}
      required={required}
    >
      {(control) => (
        <div onKeyDownCapture={tab.onKeyDown}>
          <Select<string | null>
            {...control}
            onActive={tab.onActive}
            className="edit-wide"
            disabled={locked}
            loading={!regions}
            showSearch={{ optionFilterProp: 'label' }}
            placeholder={t('form.choose')}
            notFoundContent={t('phone_orders.no_regions')}
            value={region.draft.delivery_region_id}
            onChange={choose}
            options={regions?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          />
        </div>
      )}
    </FieldRow>
  );
}
