import { Checkbox, Form, Input, Radio, Select, Switch } from 'antd';
import type { FormItemProps, FormRule } from 'antd';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useTextRules } from '../form/useTextRules';
import { parseAmount, useFormat } from '../format';
import { useRestaurantIfAny } from '../target';
import { Loading } from '../ui/states';
import { ColourInput } from './ColourInput';
import { type FieldInfo, isEmpty } from './kinds';
import { helpOf, labelOf, optionLabel } from './labels';
import { NoEffect } from './NoEffect';
import { RefSelect } from './RefSelect';
import { later } from '../later';
import { useClear } from '../ui/clear';
import { NumberInput } from '../ui/NumberInput';

// Calendar, pictures and row editors are large and rare: loaded with the first form that has one.
const DateTimeInput = later(() => import('./DateTimeInput'));
const DayInput = later(() => import('./DayInput'));
const PictureInput = later(() => import('./PictureInput'));
const RangesInput = later(() => import('./RangesInput'));
const RowsInput = later(() => import('./RowsInput'));

export interface FieldProps {
  name: string;
  info: FieldInfo;
  /** Prefix of the label keys. */
  resource: string;
  /** Place of the value when the field stands in a list of rows. */
  path?: (string | number)[];
  /** Replaces the input; gets `value` and `onChange` from the form. */
  input?: ReactNode;
  label?: ReactNode;
  help?: ReactNode;
  /** Behind a number: `Ft`, `perc`. */
  unit?: ReactNode;
  /** Of three-state fields: what is inherited, and from where. */
  inherited?: ReactNode;
  disabled?: boolean;
  hideLabel?: boolean;
  rules?: FormRule[];
  /**
   * The row has no value here. That a value is required is then a warning only, because an unchanged field is
   * not sent.
   */
  lacking?: boolean;
}

/** One field with label, help, rules and the input of its kind. */
export function Field(props: FieldProps) {
  const { name, info, resource, path, input, label, help, hideLabel, rules } = props;
  const { t } = useTranslation();
  const restaurant = useRestaurantIfAny();
  const maxRule = useMaxRule(info);
  const item: FormItemProps = {
    name: path ?? name,
    label: hideLabel ? undefined : (label ?? labelOf(resource, name)),
    extra: info.noEffect ? (
      <>
        {help ?? helpOf(resource, name)} <NoEffect of={info.noEffect} />
      </>
    ) : (
      (help ?? helpOf(resource, name))
    ),
    rules: [...useRules(info, props.lacking ?? false), ...(rules ?? [])],
    validateTrigger: 'onBlur',
    required: info.required ?? false,
  };
  if (info.kind === 'switch' && !input) item.valuePropName = 'checked';
  if (info.kind === 'pair') {
    const second = restaurant?.secondary_language;
    const names = [
      item.name,
      path ? [...path.slice(0, -1), `${path.at(-1)}_sec_lang`] : `${name}_sec_lang`,
    ] as const;
    const text = () =>
      info.multiline ? (
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 8 }} disabled={props.disabled} />
      ) : (
        <Input disabled={props.disabled} />
      );
    return (
      <div className={second ? 'field-pair' : undefined}>
        <Form.Item {...item}>{text()}</Form.Item>
        {second && (
          <Form.Item
            name={names[1]}
            label={
              hideLabel
                ? undefined
                : t('form.in_language', {
                    label: String(label ?? labelOf(resource, name)),
                    language: t(`language.${second}`),
                  })
            }
            rules={maxRule}
            validateTrigger="onBlur"
          >
            {text()}
          </Form.Item>
        )}
      </div>
    );
  }
  if (info.kind === 'rows' && !input) {
    return (
      <Form.Item label={item.label} extra={item.extra}>
        <Suspense fallback={<Loading rows={2} />}>
          <RowsInput name={name} info={info}>
            {(field, meta, at) => (
              <Field key={field} name={field} info={meta} resource={`${resource}.${name}`} path={at} />
            )}
          </RowsInput>
        </Suspense>
      </Form.Item>
    );
  }
  return <Form.Item {...item}>{input ?? <WaitingInput {...props} />}</Form.Item>;
}

/**
 * Form.Item hands value, onChange and id to its direct child, which therefore cannot be Suspense itself. The
 * placeholder has the label, too.
 */
const WaitingInput = (props: FieldProps & { id?: string }) => (
  <Suspense fallback={<Input id={props.id} {...namedBy(props)} disabled />}>
    <KindInput {...props} />
  </Suspense>
);

/** An input without a visible label has its name itself. */
const namedBy = ({ hideLabel, label, resource, name }: FieldProps) =>
  hideLabel ? { 'aria-label': String(label ?? labelOf(resource, name)) } : {};

/** What every input of a form takes: `value`, `onChange` and `id`, its name and whether it is locked. */
type Control = Record<string, unknown>;

/** Properties from the form, apart from those of the field itself. */
function controlOf(props: FieldProps): Control {
  const {
    name: _name,
    info: _info,
    resource: _resource,
    unit: _unit,
    inherited: _inherited,
    disabled,
    path: _path,
    input: _input,
    label: _label,
    help: _help,
    hideLabel: _hideLabel,
    rules: _rules,
    lacking: _lacking,
    ...control
  } = props;
  // Without a word of its own an input follows its form, which is locked while it is sent.
  return { ...control, ...namedBy(props), ...(disabled === undefined ? {} : { disabled }) };
}

/** The input of a kind. */
function KindInput(props: FieldProps) {
  const { name, info, resource, unit } = props;
  const control = controlOf(props);
  switch (info.kind) {
    case 'decimal':
    case 'integer':
      return <NumericInput control={control} whole={info.kind === 'integer'} unit={unit} />;
    case 'switch':
      return (
        <label className="target">
          <Switch {...control} />
        </label>
      );
    case 'tri':
      return <TriInput control={control} inherited={props.inherited} />;
    case 'select':
    case 'multiselect':
      return <OptionsInput control={control} resource={resource} name={name} info={info} />;
    case 'ref':
    case 'refs':
      return (
        <RefSelect
          {...control}
          resource={info.resource!}
          many={info.kind === 'refs'}
          clearable={info.nullable ?? false}
        />
      );
    case 'picture':
      return <PictureInput {...control} label={String(props.label ?? labelOf(resource, name))} />;
    case 'date':
      return <DayInput {...control} />;
    case 'datetime':
      return <DateTimeInput {...control} />;
    case 'ranges':
      return <RangesInput {...control} />;
    case 'colour':
      return <ColourInput {...control} />;
    case 'secret':
      return <Input.Password {...control} autoComplete="new-password" />;
    default:
      return info.multiline ? (
        <Input.TextArea {...control} autoSize={{ minRows: 3, maxRows: 10 }} />
      ) : (
        <Input
          {...control}
          type={info.format === 'email' ? 'email' : 'text'}
          autoComplete="off"
          suffix={unit}
        />
      );
  }
}

function NumericInput({ control, whole, unit }: { control: Control; whole: boolean; unit: ReactNode }) {
  const { language } = useFormat();
  return (
    <NumberInput
      {...control}
      stringMode={!whole}
      precision={whole ? 0 : undefined}
      decimalSeparator={language === 'hu' ? ',' : '.'}
      parser={(text) => (parseAmount(text ?? '') ?? '') as never}
      suffix={unit}
      style={{ width: '100%', maxWidth: 220 }}
    />
  );
}

/** Yes, no, or as inherited. */
function TriInput({ control, inherited }: { control: Control; inherited: ReactNode }) {
  const { t } = useTranslation();
  const inherit = inherited ? (
    <>
      {t('tri.inherit')} ({inherited})
    </>
  ) : (
    t('tri.inherit')
  );
  return (
    <Radio.Group
      {...control}
      optionType="button"
      options={
        [
          { value: null, label: inherit },
          { value: true, label: t('tri.yes') },
          { value: false, label: t('tri.no') },
        ] as never
      }
    />
  );
}

/** Up to so many options are seen at a glance; more are searched. */
const FEW = 8;

/** One or several of the options that the document names. */
function OptionsInput({
  control,
  resource,
  name,
  info,
}: { control: Control } & Pick<FieldProps, 'resource' | 'name' | 'info'>) {
  const { t } = useTranslation();
  const clear = useClear();
  const options = info.options?.map((value) => ({ value, label: optionLabel(resource, name, value) })) ?? [];
  const few = options.length <= FEW;
  const search = { optionFilterProp: 'label' };
  if (info.kind === 'select')
    return (
      <Select
        {...control}
        options={options}
        allowClear={info.nullable ? clear : false}
        showSearch={few ? false : search}
        placeholder={t('form.choose')}
      />
    );
  return few ? (
    <Checkbox.Group {...control} options={options} />
  ) : (
    <Select
      {...control}
      mode="multiple"
      options={options}
      showSearch={search}
      placeholder={t('form.choose')}
    />
  );
}

function useMaxRule(info: FieldInfo): FormRule[] {
  const { max } = useTextRules();
  return info.max && ['text', 'pair', 'secret'].includes(info.kind) ? [max(info.max)] : [];
}

/** Rules from the document; the service checks them again. */
function useRules(info: FieldInfo, lacking: boolean): FormRule[] {
  const { t } = useTranslation();
  const { number } = useFormat();
  const rules = useMaxRule(info);
  const text = ['text', 'pair', 'secret'].includes(info.kind);
  // Shown when the form is saved: the first field has the focus from the beginning, and leaving it is no fault.
  if (info.required && info.kind !== 'switch')
    rules.push({
      warningOnly: lacking,
      validateTrigger: [],
      validator: async (_, v) => {
        if (isEmpty(v)) throw new Error(t(lacking ? 'form.lacking' : 'form.required'));
      },
    });
  if (text && info.min && info.min > 1)
    rules.push({ min: info.min, message: t('form.min_length', { min: info.min }) });
  if (text && info.pattern) rules.push({ pattern: new RegExp(info.pattern), message: t('form.format') });
  if (info.format === 'email') rules.push({ type: 'email', message: t('form.email') });
  if (info.kind === 'decimal' || info.kind === 'integer') {
    if (info.min !== undefined)
      rules.push({
        validator: async (_, v) => {
          if (!isEmpty(v) && Number(v) < info.min!) throw new Error(t('form.min', { min: number(info.min) }));
        },
      });
    if (info.max !== undefined)
      rules.push({
        validator: async (_, v) => {
          if (!isEmpty(v) && Number(v) > info.max!) throw new Error(t('form.max', { max: number(info.max) }));
        },
      });
  }
  return rules;
}
