import { EyeInvisibleOutlined, EyeOutlined, UndoOutlined } from '@ant-design/icons';
import { Input, Radio, Select, Switch } from 'antd';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { noEffectYet } from '../../../generated/no-effect.gen';
import { labelOf } from '../../../lib/fields/labels';
import { NoEffect } from '../../../lib/fields/NoEffect';
import { fieldId, useBusy, useFault, useLocked } from '../../../lib/form/fieldState';
import { type Control, FieldRow } from '../../../lib/form/FieldRow';
import { parseAmount, useFormat } from '../../../lib/format';
import { useRestaurant } from '../../../lib/target';
import { Button } from '../../../lib/ui/Button';
import { useAllergens, useColors, useVats } from './api';
import { decimalsOf, truncate } from './draft';
import { inherited, type Inherited, type Level } from './inherit';
import { CHANNELS, type Tri, type Visible } from './types';
import { NumberInput } from '../../../lib/ui/NumberInput';

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

/** "az étteremből", "a kategóriából: Italok". */
export function useOriginText(): (from: Inherited<unknown>) => string {
  const { t } = useTranslation();
  return ({ origin, name }) =>
    name ? t('inherit.from_named', { from: t(`inherit.from_${origin}`), name }) : t(`inherit.from_${origin}`);
}

interface TriProps {
  path: string;
  label: ReactNode;
  icon?: ReactNode;
  value: Tri;
  onChange: (value: Tri) => void;
  from: Inherited<Tri>;
  /** Words for on, off and for "nobody says": `visible`, `fee`. */
  words: 'visible' | 'fee';
  note?: ReactNode;
}

/** Yes, no or inherited, with the value that holds and where it comes from. */
export function TriState({ path, label, icon, value, onChange, from, words, note }: TriProps) {
  const { t } = useTranslation();
  const locked = useLocked();
  const originText = useOriginText();
  const id = fieldId(path);
  const holds = value ?? from.value;
  const word =
    holds === null ? t(`inherit.${words}_open`) : t(holds ? `inherit.${words}_on` : `inherit.${words}_off`);
  const fault = useFault(path);
  return (
    <div className="tri" data-on={holds !== false}>
      {icon && (
        <span className="tri-icon" aria-hidden>
          {icon}
        </span>
      )}
      <div className="tri-text">
        <span id={`${id}-label`}>{label}</span>
        <span className="tri-holds" id={`${id}-help`}>
          {words === 'visible' &&
            (holds === false ? <EyeInvisibleOutlined aria-hidden /> : <EyeOutlined aria-hidden />)}{' '}
          {value === null
            ? t('inherit.with_origin', { value: word, origin: originText(from) })
            : t('inherit.with_origin', { value: word, origin: t('inherit.own') })}
        </span>
        {note && <span id={`${id}-note`}>{note}</span>}
        {fault && (
          <span className="edit-fault" role="alert">
            {fault}
          </span>
        )}
      </div>
      <Radio.Group
        id={id}
        className="tri-choice"
        optionType="button"
        disabled={locked}
        aria-labelledby={`${id}-label`}
        aria-describedby={note ? `${id}-help ${id}-note` : `${id}-help`}
        value={value}
        onChange={(event) => onChange(event.target.value as Tri)}
        options={
          [
            { value: null, label: t('inherit.inherits') },
            { value: true, label: t('tri.yes') },
            { value: false, label: t('tri.no') },
          ] as never
        }
      />
    </div>
  );
}

/** The five channels on which guests may see a row. */
export function VisibilityFields({
  value,
  onChange,
  above,
  prefix = '',
}: {
  value: Visible;
  onChange: (change: Partial<Visible>) => void;
  above: readonly Level<Visible>[];
  prefix?: string;
}) {
  const { t } = useTranslation();
  return (
    <div className="tri-list">
      {CHANNELS.map((channel) => (
        <TriState
          key={channel}
          path={`${prefix}${channel}`}
          words="visible"
          label={t(`field.${channel}`)}
          value={value[channel]}
          from={inherited(above, channel)}
          onChange={(next) => onChange({ [channel]: next })}
        />
      ))}
    </div>
  );
}

/** A VAT rate: inherited unless chosen; shows the inherited value and can return to it. */
export function VatSelect({
  path,
  label,
  value,
  from,
  onChange,
}: {
  path: string;
  label: ReactNode;
  value: string | null;
  from: Inherited<string | null>;
  onChange: (value: string | null) => void;
}) {
  const { t } = useTranslation();
  const { percent, language } = useFormat();
  const locked = useLocked();
  const originText = useOriginText();
  const vats = useVats();
  const rate = (id: string | null) => vats?.find((vat) => vat.id === id)?.percent;
  const inheritedText = t('inherit.with_origin', {
    value: percent(rate(from.value)),
    origin: originText(from),
  });
  return (
    <FieldRow
      path={path}
      label={label}
      help={
        vats &&
        (value === null
          ? t('inherit.inherits_value', { value: inheritedText })
          : t('inherit.would_be', { value: inheritedText }))
      }
      extra={
        value !== null &&
        !locked && (
          <Button type="link" size="small" icon={<UndoOutlined />} onClick={() => onChange(null)}>
            {t('inherit.reset')}
          </Button>
        )
      }
    >
      {(control) => (
        <Select<string | null>
          {...control}
          className="edit-wide"
          disabled={locked}
          loading={!vats}
          value={value}
          placeholder={vats ? percent(rate(from.value)) : t('state.loading')}
          popupMatchSelectWidth={false}
          onChange={(next) => onChange(next === INHERIT ? null : next)}
          options={[
            { value: INHERIT, label: t('inherit.inherits_value', { value: inheritedText }) },
            ...(vats ?? [])
              .filter((vat) => !vat.archived_at || vat.id === value)
              .map((vat) => ({
                value: vat.id,
                label: `${percent(vat.percent)} ${language === 'hu' ? vat.name_local : vat.name_en}`,
              })),
          ]}
        />
      )}
    </FieldRow>
  );
}
const INHERIT = 'inherit';

/** The fourteen allergens as boxes to tick: quicker than a list that opens, and all are seen. */
export function AllergenPicker({
  path,
  label,
  value,
  onChange,
}: {
  path: string;
  label: ReactNode;
  value: readonly string[];
  onChange: (value: string[]) => void;
}) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const locked = useLocked();
  const allergens = useAllergens();
  const chosen = new Set(value);
  const toggle = (id: string) =>
    onChange(
      (allergens ?? [])
        .map((a) => a.id)
        .filter((other) => (other === id ? !chosen.has(id) : chosen.has(other))),
    );
  return (
    <FieldRow
      path={path}
      label={label}
      group
      extra={<span className="edit-count num">{t('catalogue.chosen', { count: value.length })}</span>}
    >
      {({ id }) => (
        <div className="pills" id={id} tabIndex={-1}>
          {allergens?.map((allergen) => (
            <label className="pill" key={allergen.id}>
              <input
                type="checkbox"
                checked={chosen.has(allergen.id)}
                disabled={locked}
                onChange={() => toggle(allergen.id)}
              />
              <span>
                {allergen.icon.present && <img src={allergen.icon.present} alt="" width={18} height={18} />}{' '}
                {language === 'hu' ? allergen.name : allergen.name_en}
              </span>
            </label>
          ))}
        </div>
      )}
    </FieldRow>
  );
}

/** The colours of the till's buttons, shown as the button will look. */
export function ColorPicker({
  path,
  label,
  value,
  onChange,
  sample,
}: {
  path: string;
  label: ReactNode;
  value: string | null;
  onChange: (value: string | null) => void;
  sample: string;
}) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const locked = useLocked();
  const colors = useColors();
  const name = useId();
  const chosen = colors?.find((color) => color.id === value);
  const nameOf = (color: { name: string; name_en?: string }) =>
    language === 'hu' ? color.name : (color.name_en ?? color.name);
  return (
    <FieldRow
      path={path}
      label={label}
      group
      help={
        <>
          {t('catalogue.color_help')} <NoEffect of={noEffectYet['Product.pos_color_id']} />
        </>
      }
    >
      {({ id }) => (
        <div className="colors" id={id} tabIndex={-1}>
          <div className="colors-choice">
            <label className="color color-none" title={t('catalogue.no_color')}>
              <input
                type="radio"
                name={name}
                checked={value === null}
                disabled={locked}
                onChange={() => onChange(null)}
              />
              <span className="sr-only">{t('catalogue.no_color')}</span>
              <i aria-hidden />
            </label>
            {colors?.map((color) => (
              <label className="color" key={color.id} title={nameOf(color)}>
                <input
                  type="radio"
                  name={name}
                  checked={value === color.id}
                  disabled={locked}
                  onChange={() => onChange(color.id)}
                />
                <span className="sr-only">{nameOf(color)}</span>
                <i aria-hidden style={{ background: color.bg_color, color: color.text_color }} />
              </label>
            ))}
          </div>
          {chosen && (
            <span className="color-sample" style={{ background: chosen.bg_color, color: chosen.text_color }}>
              {sample || nameOf(chosen)}
            </span>
          )}
        </div>
      )}
    </FieldRow>
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
