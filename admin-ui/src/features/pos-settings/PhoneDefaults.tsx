import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { isByPhone, usePaymentMethods, useRegionNames } from '../order-taking/api';

/** What the form hands to an input. */
interface Control {
  id?: string;
  value?: string | null;
  onChange?: (value: string | null) => void;
}

/** One of a few names, or none. A value that is not among them any more is called by `gone`. */
function Choice({ value, onChange, loading, options, gone, ...control }: Control & ChoiceProps) {
  const { t } = useTranslation();
  const known = !value || loading || options.some((one) => one.value === value);
  return (
    <Select<string | null>
      {...control}
      allowClear
      loading={loading}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={t('form.choose')}
      value={loading ? null : (value ?? null)}
      onChange={(chosen) => onChange?.(chosen ?? null)}
      options={known ? [...options] : [...options, { value, label: gone(value) }]}
    />
  );
}

interface ChoiceProps {
  loading: boolean;
  options: readonly { value: string; label: string }[];
  gone: (value: string) => string;
}

/** The way to pay that is preselected. */
export function DefaultMethod(control: Control) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { data, isLoading } = usePaymentMethods();
  const options = data?.filter(isByPhone).map(({ payment_key, name, name_en }) => ({
    value: payment_key,
    label: language === 'en' ? name_en : name,
  }));
  return (
    <Choice
      {...control}
      loading={isLoading}
      options={options ?? []}
      gone={(name) => t('pos_configs.method_off', { name })}
    />
  );
}

/** The region of a delivery whose place is not known. */
export function DefaultRegion(control: Control) {
  const { t } = useTranslation();
  const { data, isLoading } = useRegionNames(true);
  const options = data?.map(({ id, name, active }) => ({
    value: id,
    label: active ? name : t('pos_configs.region_off', { name }),
  }));
  return <Choice {...control} loading={isLoading} options={options ?? []} gone={() => '…'} />;
}
