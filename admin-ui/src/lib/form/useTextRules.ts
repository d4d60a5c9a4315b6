import { useTranslation } from 'react-i18next';

/** Rules of texts for antd's form. The service checks them again. */
export function useTextRules() {
  const { t } = useTranslation();
  return {
    /** Blanks alone are no text. */
    filled: { required: true, whitespace: true, message: t('form.required') },
    max: (length: number) => ({ max: length, message: t('form.max_length', { max: length }) }),
  };
}
