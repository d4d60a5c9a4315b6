import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { useLocked } from '../../../lib/form/fieldState';
import { FieldRow } from '../../../lib/form/FieldRow';
import { useFormat } from '../../../lib/format';
import { NumberInput } from '../../../lib/ui/NumberInput';
import { inherited, type Inherited, type Level } from './inherit';
import { useNtakWords } from './ntak';
import { Holds, InheritAgain, useOriginText } from './origin';
import { type NtakUnit, type Reported, UNITS } from './types';

/** The option of a select that stands for no value of one's own. */
const INHERIT = 'inherit';

interface SelectProps<V extends string> {
  path: string;
  label: string;
  value: V | null;
  from: Inherited<V | null>;
  options: { value: V; label: string }[];
  /** In words; nothing: nobody says anything, or it is not loaded yet. */
  nameOf: (value: V | null) => string | undefined;
  onChange: (value: V | null) => void;
}

/** A value that is inherited unless chosen; shows the inherited one with its origin, and can return to it. */
function InheritedSelect<V extends string>({
  path,
  label,
  value,
  from,
  options,
  nameOf,
  onChange,
}: SelectProps<V>) {
  const { t } = useTranslation();
  const locked = useLocked();
  const originText = useOriginText();
  const inheritedText =
    from.value === null
      ? t('ntak.nobody')
      : t('inherit.with_origin', {
          value: nameOf(from.value) ?? t('state.loading'),
          origin: originText(from),
        });
  return (
    <FieldRow
      path={path}
      label={label}
      help={
        <Holds
          own={value !== null}
          from={from}
          word={from.value === null ? undefined : (nameOf(from.value) ?? t('state.loading'))}
        />
      }
      extra={<InheritAgain own={value !== null} label={label} onClick={() => onChange(null)} />}
    >
      {(control) => (
        <Select<string | null>
          {...control}
          className="edit-wide"
          disabled={locked}
          value={value}
          placeholder={nameOf(from.value) ?? t('ntak.nobody')}
          popupMatchSelectWidth={false}
          showSearch={{ optionFilterProp: 'label' }}
          onChange={(next) => onChange(next === INHERIT ? null : (next as V))}
          options={[
            { value: INHERIT, label: t('inherit.inherits_value', { value: inheritedText }) },
            ...options,
          ]}
        />
      )}
    </FieldRow>
  );
}

interface FieldsProps {
  value: Reported;
  onChange: (change: Partial<Reported>) => void;
  above: readonly Level[];
  prefix?: string;
}

/** Category and unit of the tax report. */
export function NtakFields({ value, onChange, above, prefix = '' }: FieldsProps) {
  const { t } = useTranslation();
  const words = useNtakWords();
  return (
    <>
      <InheritedSelect<string>
        path={`${prefix}ntak_category_id`}
        label={t('field.ntak_category_id')}
        value={value.ntak_category_id}
        from={inherited(above, 'ntak_category_id')}
        options={words.options(value.ntak_category_id)}
        nameOf={words.nameOf}
        onChange={(ntak_category_id) => onChange({ ntak_category_id })}
      />
      <InheritedSelect<NtakUnit>
        path={`${prefix}ntak_quantity_unit`}
        label={t('field.ntak_quantity_unit')}
        value={value.ntak_quantity_unit}
        from={inherited(above, 'ntak_quantity_unit')}
        options={UNITS.map((unit) => ({ value: unit, label: words.unit(unit)! }))}
        nameOf={words.unit}
        onChange={(ntak_quantity_unit) => onChange({ ntak_quantity_unit })}
      />
    </>
  );
}

/** How much one piece of a size is in the unit that holds for it. */
export function NtakQuantityField({
  path,
  value,
  unit,
  onChange,
}: {
  path: string;
  value: string;
  unit: NtakUnit | null;
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const locked = useLocked();
  const words = useNtakWords();
  return (
    <FieldRow
      path={path}
      label={t('field.ntak_quantity')}
      help={unit === 'liter' && value === '' ? t('ntak.quantity_litres') : t('ntak.quantity_help')}
    >
      {(control) => (
        <NumberInput<string>
          {...control}
          stringMode
          min="0"
          max="100000"
          inputMode="decimal"
          decimalSeparator={language === 'hu' ? ',' : '.'}
          disabled={locked}
          suffix={words.unit(unit)}
          value={value === '' ? null : value}
          placeholder="1"
          onChange={(next) => onChange(next === null || next === undefined ? '' : String(next))}
        />
      )}
    </FieldRow>
  );
}
