import { CloseCircleFilled } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';

/** For `allowClear`: what empties a field says so in the language of the page; antd says it in English. */
export function useClear() {
  const { t } = useTranslation();
  const label = t('action.clear');
  return { label, clearIcon: <CloseCircleFilled aria-label={label} /> };
}
