import { Select, type SelectProps } from 'antd';
import { useTranslation } from 'react-i18next';
import { useClear } from '../../lib/ui/clear';
import { useNtakWords } from '../categories-and-products/shared/ntak';

/** Chooses a category of the tax report in a form. One that has ended is offered only where it is set. */
export function NtakCategorySelect(control: SelectProps<string>) {
  const { t } = useTranslation();
  const { loaded, options } = useNtakWords();
  return (
    <Select<string>
      {...control}
      allowClear={useClear()}
      loading={!loaded}
      placeholder={t('form.choose')}
      showSearch={{ optionFilterProp: 'label' }}
      options={options(control.value)}
    />
  );
}
