import { Select, type SelectProps } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { useVats } from '../categories-and-products/shared/api';

/** Chooses a VAT rate in a form. A rate that was archived is offered only where it is set. */
export function VatSelect(control: SelectProps<string>) {
  const { t } = useTranslation();
  const { percent, language } = useFormat();
  const vats = useVats();
  return (
    <Select<string>
      {...control}
      loading={!vats}
      placeholder={t('form.choose')}
      showSearch={{ optionFilterProp: 'label' }}
      options={vats
        ?.filter((vat) => !vat.archived_at || vat.id === control.value)
        .map((vat) => ({
          value: vat.id,
          label: `${percent(vat.percent)} ${language === 'hu' ? vat.name_local : vat.name_en}`,
        }))}
    />
  );
}
