import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons';
import { Radio, Select } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldId, useFault, useLocked } from '../../../lib/form/fieldState';
import { FieldRow } from '../../../lib/form/FieldRow';
import { useFormat } from '../../../lib/format';
import { useVats } from './api';
import { inheritedChannel, type Inherited, type Level } from './inherit';
import { Holds, InheritAgain, OriginLink, useOriginText } from './origin';
import { CHANNELS, type Tri, type Visible } from './types';

/** What the input holds for `null`, which is no value of an input. */
const INHERITS = 'inherits';

interface TriProps {
  path: string;
  label: string;
  icon?: ReactNode;
  value: Tri;
  onChange: (value: Tri) => void;
  from: Inherited<Tri>;
  /** Words for on, off and for "nobody says": `visible`, `fee`. */
  words: 'visible' | 'fee';
}

/** Yes, no or inherited, with the value that holds and where it comes from. */
export function TriState({ path, label, icon, value, onChange, from, words }: TriProps) {
  const { t } = useTranslation();
  const locked = useLocked();
  const id = fieldId(path);
  const holds = value ?? from.value;
  const wordOf = (of: Tri) =>
    of === null ? t(`inherit.${words}_open`) : t(of ? `inherit.${words}_on` : `inherit.${words}_off`);
  const settings = words === 'fee' ? 'pos_settings' : undefined;
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
          {value === null ? (
            <>
              {wordOf(holds)}, <OriginLink from={from} settings={settings} />
            </>
          ) : (
            <>
              {t('inherit.with_origin', { value: wordOf(holds), origin: t('inherit.own') })}
              {'. '}
              <Holds own from={from} word={wordOf(from.value)} settings={settings} />
            </>
          )}
        </span>
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
        aria-describedby={`${id}-help`}
        value={value ?? INHERITS}
        onChange={({ target }) => onChange(target.value === INHERITS ? null : (target.value as Tri))}
        options={
          [
            { value: INHERITS, label: t('inherit.inherits') },
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
          from={inheritedChannel(above, channel)}
          onChange={(next) => onChange({ [channel]: next })}
        />
      ))}
    </div>
  );
}

/** The option of a select that stands for no value of one's own. */
const INHERIT = 'inherit';

/** A VAT rate: inherited unless chosen; shows the inherited value and can return to it. */
export function VatSelect({
  path,
  label,
  value,
  from,
  onChange,
}: {
  path: string;
  label: string;
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
        vats && (
          <Holds
            own={value !== null}
            from={from}
            word={percent(rate(from.value))}
            settings="restaurant_general"
          />
        )
      }
      extra={<InheritAgain own={value !== null} label={label} onClick={() => onChange(null)} />}
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
