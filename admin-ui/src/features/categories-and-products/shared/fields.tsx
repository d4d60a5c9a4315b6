import { Input, Switch } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { labelOf } from '../../../lib/fields/labels';
import { useBusy, useLocked } from '../../../lib/form/fieldState';
import { type Control, FieldRow } from '../../../lib/form/FieldRow';
import { parseAmount, useFormat } from '../../../lib/format';
import { useRestaurant } from '../../../lib/target';
import { NumberInput } from '../../../lib/ui/NumberInput';
import { decimalsOf, truncate } from './draft';

interface PairProps {
  resource: string;
  /** `name` or `description`. */
  field: 'name' | 'description';
  /** Before the field's name in paths: `subproducts.<key>.`. */
  prefix?: string;
  value: { [key: string]: unknown };
  onChange: (change: Record<string, string>) => void;
  required?: boolean;
  placeholder?: string;
  long?: boolean;
  max: number;
}

/** A text in both languages of the restaurant, side by side. */
export function TextPair({
  resource,
  field,
  prefix = '',
  value,
  onChange,
  required,
  placeholder,
  long,
  max,
}: PairProps) {
  const { t } = useTranslation();
  const locked = useLocked();
  const second = useRestaurant().secondary_language;
  const label = labelOf(resource, field);
  const input = (name: string, control: Control, hint?: string) => {
    const common = {
      ...control,
      value: String(value[name] ?? ''),
      disabled: locked,
      maxLength: max,
      placeholder: hint,
      autoComplete: 'off',
    };
    return long ? (
      <Input.TextArea
        {...common}
        autoSize={{ minRows: 2, maxRows: 8 }}
        onChange={(event) => onChange({ [name]: event.target.value })}
      />
    ) : (
      <Input {...common} onChange={(event) => onChange({ [name]: event.target.value })} />
    );
  };
  return (
    <div className={second ? 'field-pair' : undefined}>
      <FieldRow path={`${prefix}${field}`} label={label} required={required ?? false}>
        {(control) => input(field, control, placeholder)}
      </FieldRow>
      {second && (
        <FieldRow
          path={`${prefix}${field}_sec_lang`}
          label={t('form.in_language', { label, language: t(`language.${second}`) })}
        >
          {(control) => input(`${field}_sec_lang`, control)}
        </FieldRow>
      )}
    </div>
  );
}

interface EanProps {
  path: string;
  value: string;
  /** Below the field. */
  help: ReactNode;
  onChange: (value: string) => void;
}

export function EanField({ path, value, help, onChange }: EanProps) {
  const { t } = useTranslation();
  const locked = useLocked();
  return (
    <FieldRow path={path} label={t('field.ean_code')} help={help}>
      {(control) => (
        <Input
          {...control}
          disabled={locked}
          maxLength={50}
          inputMode="numeric"
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FieldRow>
  );
}

/**
 * An amount in the restaurant's currency; what is pasted is read as people write it and cut to what the
 * currency has.
 */
export function MoneyInput({
  control,
  value,
  onChange,
  placeholder,
}: {
  control: Control;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
}) {
  const { currency, language, money, number } = useFormat();
  const locked = useLocked();
  const decimals = decimalsOf(currency);
  const unit = money(0).replace(/[\d\s.,\u00a0]/g, '');
  return (
    <NumberInput
      {...control}
      className="edit-money"
      stringMode
      min="0"
      max="10000000"
      inputMode={decimals === 0 ? 'numeric' : 'decimal'}
      decimalSeparator={language === 'hu' ? ',' : '.'}
      disabled={locked}
      suffix={unit}
      placeholder={placeholder}
      value={value === '' ? null : value}
      formatter={(shown, { userTyping, input }) =>
        userTyping ? input : shown === undefined || shown === '' ? '' : number(shown, decimals)
      }
      parser={(text) => {
        const plain = parseAmount(text ?? '');
        return (plain === undefined ? '' : truncate(plain, decimals)) as never;
      }}
      onChange={(next) => onChange(next === null || next === undefined ? '' : String(next))}
    />
  );
}

/**
 * Whether a row is active, with what that means. Switching an existing row is a right of its own.
 */
export function ActiveField({
  value,
  onChange,
  help,
  allowed,
}: {
  value: boolean;
  onChange: (value: boolean) => void;
  help: string;
  allowed: boolean;
}) {
  const { t } = useTranslation();
  const busy = useBusy();
  return (
    <div className="edit-switch">
      <label className="target">
        <Switch
          id="field-active"
          checked={value}
          disabled={!allowed || busy}
          onChange={onChange}
          aria-label={t('field.active')}
          aria-describedby="field-active-help"
        />
      </label>
      <div>
        <label htmlFor="field-active">{t('field.active')}</label>
        <p className="edit-help" id="field-active-help">
          {help}
        </p>
      </div>
    </div>
  );
}
