import { Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { noEffectYet } from '../../generated/no-effect.gen';
import { labelOf } from '../../lib/fields/labels';
import { NoEffect } from '../../lib/fields/NoEffect';
import { ExternalIds } from './shared/ExternalIds';
import { SIZE_IDS } from './shared/externalIds';
import { Components } from './Components';
import { OptionGroupPicker } from './OptionGroupPicker';
import { sellable, type SubproductDraft } from './product';
import { EanField, MoneyInput, TextPair } from './shared/fields';
import { TriState, VatSelect, VisibilityFields } from './shared/inheritFields';
import { NtakFields, NtakQuantityField } from './shared/ntakFields';
import { AllergenPicker } from './shared/pickers';
import { FieldRow } from '../../lib/form/FieldRow';
import { inherited, type Level } from './shared/inherit';
import { useLocked } from '../../lib/form/fieldState';
import { NumberInput } from '../../lib/ui/NumberInput';

const RESOURCE = 'subproducts';

interface FieldProps {
  row: SubproductDraft;
  onChange: (change: Partial<SubproductDraft>) => void;
}

interface Props extends FieldProps {
  /** The only size: its price stands in the product. */
  single: boolean;
  productName: string;
  above: readonly Level[];
  /** The other sizes of the product. */
  others: readonly SubproductDraft[];
}

/** Begins the paths of a size's fields. */
const prefixOf = (row: SubproductDraft) => `subproducts.${row.key}.`;

/** The fields of one size. */
export function SubproductFields({ row, single, productName, above, others, onChange }: Props) {
  const { t } = useTranslation();
  const field = { row, onChange };
  const prefix = prefixOf(row);
  return (
    <>
      <TextPair
        resource={RESOURCE}
        field="name"
        prefix={prefix}
        value={{ ...row }}
        onChange={onChange}
        required={!single}
        placeholder={single ? productName : t('subproducts.name_example')}
        max={100}
      />
      <div className="field-line">
        {!single && (
          <FieldRow path={`${prefix}price`} label={labelOf(RESOURCE, 'price')} required>
            {(control) => (
              <MoneyInput control={control} value={row.price} onChange={(price) => onChange({ price })} />
            )}
          </FieldRow>
        )}
        <Quantity {...field} />
        <NtakQuantityField
          path={`${prefix}ntak_quantity`}
          value={row.ntak_quantity}
          unit={row.ntak_quantity_unit ?? inherited(above, 'ntak_quantity_unit').value}
          onChange={(ntak_quantity) => onChange({ ntak_quantity })}
        />
        <EanField
          path={`${prefix}ean_code`}
          value={row.ean_code}
          help={<NoEffect of={noEffectYet['SubproductRow.ean_code']} />}
          onChange={(ean_code) => onChange({ ean_code })}
        />
      </div>
      <TextPair
        resource={RESOURCE}
        field="description"
        prefix={prefix}
        value={{ ...row }}
        onChange={onChange}
        long
        max={2000}
      />
      <OptionGroupPicker
        path={`${prefix}option_group_ids`}
        value={row.option_group_ids}
        onChange={(option_group_ids) => onChange({ option_group_ids })}
      />
      <AllergenPicker
        path={`${prefix}allergenic_ids`}
        label={t('field.allergenic_ids')}
        value={row.allergenic_ids}
        onChange={(allergenic_ids) => onChange({ allergenic_ids })}
      />
      <Components {...field} prefix={prefix} />
      <OwnRules {...field} above={above} />
      <ExternalIds
        resource={RESOURCE}
        fields={SIZE_IDS}
        prefix={prefix}
        value={row}
        onChange={onChange}
        taken={(id) => others.map((other) => other[id])}
      />
    </>
  );
}

/** How many pieces can be sold, where they are counted. */
function Quantity({ row, onChange }: FieldProps) {
  const { t } = useTranslation();
  const locked = useLocked();
  const counted = row.sellable_quantity !== null;
  return (
    <FieldRow
      path={`${prefixOf(row)}sellable_quantity`}
      label={t('subproducts.sellable_quantity')}
      help={counted ? t('subproducts.sellable_help') : t('subproducts.not_counted_help')}
    >
      {(control) => (
        <div className="edit-switch">
          <label className="target">
            <Switch
              checked={counted}
              disabled={locked}
              aria-label={t('subproducts.count_it')}
              onChange={(on) => onChange(sellable(on ? 'on' : null))}
            />
          </label>
          {counted && (
            <NumberInput<number>
              {...control}
              min={0}
              max={100_000}
              precision={0}
              disabled={locked}
              value={row.sellable_quantity}
              onChange={(pieces) => onChange(sellable(pieces ?? 0))}
              suffix={t('subproducts.pieces')}
            />
          )}
        </div>
      )}
    </FieldRow>
  );
}

/** What the size says instead of its product: VAT, the tax report, where it is shown, the fee. */
function OwnRules({ row, onChange, above }: FieldProps & { above: readonly Level[] }) {
  const { t } = useTranslation();
  const prefix = prefixOf(row);
  return (
    <details className="size-more" open={differs(row)}>
      <summary>{t('subproducts.own_rules')}</summary>
      <div className="field-line">
        <VatSelect
          path={`${prefix}vat_id`}
          label={t('field.vat_id')}
          value={row.vat_id}
          from={inherited(above, 'vat_id')}
          onChange={(vat_id) => onChange({ vat_id })}
        />
        <VatSelect
          path={`${prefix}sit_in_vat_id`}
          label={t('field.sit_in_vat_id')}
          value={row.sit_in_vat_id}
          from={inherited(above, 'sit_in_vat_id')}
          onChange={(sit_in_vat_id) => onChange({ sit_in_vat_id })}
        />
      </div>
      <div className="field-line">
        <NtakFields value={row} onChange={onChange} above={above} prefix={prefix} />
      </div>
      <VisibilityFields value={row} onChange={onChange} above={above} prefix={prefix} />
      <TriState
        path={`${prefix}has_tip`}
        words="fee"
        label={t('field.has_tip')}
        value={row.has_tip}
        from={inherited(above, 'has_tip')}
        onChange={(has_tip) => onChange({ has_tip })}
      />
    </details>
  );
}

/** Whether the size says anything that its product does not: then its rules are shown at once. */
const differs = (row: SubproductDraft): boolean =>
  [
    row.vat_id,
    row.sit_in_vat_id,
    row.has_tip,
    row.ntak_category_id,
    row.ntak_quantity_unit,
    row.visible_online,
    row.visible_sit_in,
    row.visible_phone,
    row.visible_kiosk_sit_in,
    row.visible_kiosk_take_away,
  ].some((value) => value !== null);
