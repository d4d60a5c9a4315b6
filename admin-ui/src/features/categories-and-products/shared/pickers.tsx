import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { noEffectYet } from '../../../generated/no-effect.gen';
import { NoEffect } from '../../../lib/fields/NoEffect';
import { useLocked } from '../../../lib/form/fieldState';
import { FieldRow } from '../../../lib/form/FieldRow';
import { useFormat } from '../../../lib/format';
import { useAllergens, useColors } from './api';

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
