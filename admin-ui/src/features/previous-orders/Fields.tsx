import { Form, type FormRule, Input, Select } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { OrderPlatform } from '../../generated/model/orderPlatform';
import { useClear } from '../../lib/ui/clear';
import { channelName } from '../order/Channel';
import { useMethods } from './api';
import { DISCOUNTS, type Filter, isId, longest, STORNOS } from './filter';

interface TextProps {
  name: keyof Filter;
  /** What is enough, or what it looks like. */
  hint?: string;
  rules?: FormRule[];
  inputMode?: 'tel';
}

function Text({ name, hint, rules = [], inputMode }: TextProps) {
  const { t } = useTranslation();
  return (
    <Form.Item name={name} label={t(`previous.${name}`)} rules={rules} validateTrigger="onSubmit">
      <Input
        allowClear={useClear()}
        autoComplete="off"
        data-1p-ignore=""
        maxLength={longest(name)}
        placeholder={hint}
        {...(inputMode ? { inputMode } : {})}
      />
    </Form.Item>
  );
}

/** The one search, of which every order is found by what one knows of it. */
export function SearchField() {
  const { t } = useTranslation();
  return <Text name="q" hint={t('previous.q_help')} />;
}

/** What is asked for besides; the range stands among it. */
export function BaseFields({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className="previous-fields">
      <Text name="counter" />
      <Text name="name" hint={t('previous.name_help')} />
      <Text name="phone_1" hint={t('previous.phone_1_help')} inputMode="tel" />
      {children}
    </div>
  );
}

export function MoreFields() {
  const { t } = useTranslation();
  const methods = useMethods();
  const id: FormRule = {
    validator: async (_, value: string) => {
      if (value.trim() && !isId(value.trim())) throw new Error(t('fault.type'));
    },
  };
  return (
    <div className="previous-fields previous-more">
      <Text name="city" />
      <Text name="street" />
      <Text name="premise_number" />
      <Several name="payment_methods" options={methods.map((one) => ({ value: one.id, label: one.name }))} />
      <Several
        name="platforms"
        options={Object.values(OrderPlatform).map((value) => ({ value, label: channelName(value, t) }))}
      />
      <OneOf name="storno" values={STORNOS} />
      <OneOf name="has_discount" values={DISCOUNTS} />
      <Text name="id" hint={t('previous.id_help')} rules={[id]} />
    </div>
  );
}

function Several({ name, options }: { name: keyof Filter; options: { value: string; label: string }[] }) {
  const { t } = useTranslation();
  return (
    <Form.Item name={name} label={t(`previous.${name}`)}>
      <Select
        mode="multiple"
        allowClear={useClear()}
        maxTagCount="responsive"
        showSearch={{ optionFilterProp: 'label' }}
        placeholder={t('previous.all')}
        options={options}
      />
    </Form.Item>
  );
}

function OneOf({ name, values }: { name: 'storno' | 'has_discount'; values: readonly string[] }) {
  const { t } = useTranslation();
  return (
    <Form.Item name={name} label={t(`previous.${name}`)}>
      <Select
        popupMatchSelectWidth={false}
        options={values.map((value) => ({ value, label: t(`previous.${name}.${value}`) }))}
      />
    </Form.Item>
  );
}
