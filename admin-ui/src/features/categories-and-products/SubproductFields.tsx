import { Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { labelOf } from '../../lib/fields/labels';
import { ExternalIds } from './shared/ExternalIds';
import { SIZE_IDS } from './shared/externalIds';
import { Components } from './Components';
import { OptionGroupPicker } from './OptionGroupPicker';
import { sellable, type SubproductDraft } from './product';
import { EanField, MoneyInput, TextPair } from './shared/fields';
import { ShownGroup, TaxGroup } from './shared/cards';
import { FoldedGroup, Group } from './shared/Group';
import { SIZE } from './shared/groups';
import { NtakQuantityField } from './shared/ntakFields';
import { AllergenPicker } from './shared/pickers';
import { useIdsSummary } from './shared/summaries';
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
  const texts = <Texts {...field} single={single} productName={productName} />;
  return (
    <>
      {!single && texts}
      <div className="field-line">
        {!single && (
          <FieldRow path={`${prefix}price`} label={labelOf(RESOURCE, 'price')} required>
            {(control) => (
              <MoneyInput control={control} value={row.price} onChange={(price) => onChange({ price })} />
            )}
          </FieldRow>
        )}
        <Quantity {...field} />
      </div>
      <Group inner title={t('editor.choices')}>
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
      </Group>
      {single && texts}
      <Components {...field} prefix={prefix} />
      <ShownGroup
        title={t('editor.size_shown')}
        value={row}
        onChange={onChange}
        above={above}
        prefix={prefix}
      />
      <Tax {...field} above={above} />
      <Systems {...field} others={others} />
    </>
  );
}

/**
 * Its own name and description. The only size is called like its product, so that it has another name is rare.
 */
function Texts({
  row,
  onChange,
  single,
  productName,
}: FieldProps & { single: boolean; productName: string }) {
  const { t } = useTranslation();
  const common = { resource: RESOURCE, prefix: prefixOf(row), value: { ...row }, onChange };
  const fields = (
    <>
      <TextPair
        {...common}
        field="name"
        required={!single}
        placeholder={single ? productName : t('subproducts.name_example')}
        max={100}
      />
      <TextPair {...common} field="description" long max={2000} />
    </>
  );
  if (!single) return fields;
  const own = [
    row.name.trim(),
    row.name_sec_lang.trim(),
    row.description.trim(),
    row.description_sec_lang.trim(),
  ];
  const other = own.filter((text) => text !== '' && text !== productName.trim());
  return (
    <FoldedGroup
      inner
      title={t('editor.size_texts')}
      lead={t('editor.size_texts_lead')}
      said={other.length > 0 ? other : [t('editor.as_product')]}
      fields={SIZE.texts}
      prefix={common.prefix}
    >
      {fields}
    </FoldedGroup>
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

/** VAT, tax report and fee of the size, which inherits them from its product; how much of it is reported. */
function Tax({ row, onChange, above }: FieldProps & { above: readonly Level[] }) {
  const { t } = useTranslation();
  const prefix = prefixOf(row);
  const unit = row.ntak_quantity_unit ?? inherited(above, 'ntak_quantity_unit').value;
  const litre = unit === 'liter' && row.ntak_quantity === '';
  return (
    <TaxGroup
      inner
      title={t('editor.size_tax')}
      value={row}
      onChange={onChange}
      above={above}
      fields={SIZE.tax}
      prefix={prefix}
      lead={t('editor.size_tax_lead')}
      said={[
        ...(row.ntak_quantity === ''
          ? []
          : [t('editor.said', { label: t('field.ntak_quantity'), value: row.ntak_quantity })]),
        ...(litre ? [t('ntak.quantity_litres')] : []),
      ]}
    >
      <NtakQuantityField
        path={`${prefix}ntak_quantity`}
        value={row.ntak_quantity}
        unit={unit}
        onChange={(ntak_quantity) => onChange({ ntak_quantity })}
      />
    </TaxGroup>
  );
}

/** How scanners and other systems know it. */
function Systems({ row, onChange, others }: FieldProps & { others: readonly SubproductDraft[] }) {
  const { t } = useTranslation();
  const idsSaid = useIdsSummary();
  const prefix = prefixOf(row);
  return (
    <FoldedGroup
      inner
      title={t('editor.systems')}
      said={[
        ...(row.ean_code ? [t('editor.said', { label: t('field.ean_code'), value: row.ean_code })] : []),
        ...idsSaid(RESOURCE, SIZE_IDS, row),
      ]}
      fields={SIZE.till}
      prefix={prefix}
    >
      <EanField
        path={`${prefix}ean_code`}
        value={row.ean_code}
        help={t('catalogue.ean_help')}
        onChange={(ean_code) => onChange({ ean_code })}
      />
      <ExternalIds
        resource={RESOURCE}
        fields={SIZE_IDS}
        prefix={prefix}
        value={row}
        onChange={onChange}
        taken={(id) => others.map((other) => other[id])}
      />
    </FoldedGroup>
  );
}
