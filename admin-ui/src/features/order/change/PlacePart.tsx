import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { useLocked } from '../../../lib/form/fieldState';
import { FieldRow } from '../../../lib/form/FieldRow';
import { useRegionNames } from '../../order-taking/api';
import { NO_BOOK } from '../../order-taking/menu';
import { Reasons } from '../../order-taking/Reasons';
import { canOverride, reasonsAt } from '../../order-taking/reasons';
import { AddressFields } from '../../phone-orders/AddressFields';
import { TextField } from '../../phone-orders/fields';
import { isBrought } from './model';
import { type PartProps, type Rehearsed, reasonsOf } from './parts';

/** The address, and where the region says no, what staff may do about it. */
export function PlacePart({ order, form, rehearsal }: PartProps & Rehearsed) {
  const { t } = useTranslation();
  const { draft, set } = form;
  if (!isBrought(order, draft)) return null;
  const reasons = reasonsAt(reasonsOf(rehearsal), 'delivery');
  const asks = reasons.some(canOverride) || draft.override_reason !== '';
  return (
    <fieldset className="change-part">
      <legend>{t('order.change_of_delivery_data')}</legend>
      <AddressFields
        address={draft.address}
        onChange={(name, text) => set({ address: { ...draft.address, [name]: text } }, `address.${name}`)}
      />
      <div role="status">
        <Reasons reasons={reasons} book={NO_BOOK} />
      </div>
      {(asks || draft.delivery_region_id !== null) && <Region order={order} form={form} />}
      {asks && (
        <TextField
          path="override_reason"
          label={t('phone_orders.override_reason')}
          help={t('phone_orders.override_reason_help')}
          maxLength={200}
          value={draft.override_reason}
          onChange={(override_reason) => set({ override_reason })}
        />
      )}
    </fieldset>
  );
}

/** A region that somebody chooses; the order says who. */
function Region({ form: { draft, set } }: PartProps) {
  const { t } = useTranslation();
  const locked = useLocked();
  const regions = useRegionNames(true).data?.filter(({ active }) => active);
  return (
    <FieldRow path="delivery_region_id" label={t('phone_orders.region')}>
      {(control) => (
        <Select<string | null>
          {...control}
          className="edit-wide"
          allowClear
          disabled={locked}
          loading={!regions}
          showSearch={{ optionFilterProp: 'label' }}
          placeholder={t('order.change_region_found')}
          notFoundContent={t('phone_orders.no_regions')}
          value={draft.delivery_region_id}
          onChange={(chosen: string | null | undefined) => set({ delivery_region_id: chosen ?? null })}
          options={regions?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        />
      )}
    </FieldRow>
  );
}
