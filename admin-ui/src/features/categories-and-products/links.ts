import { useTranslation } from 'react-i18next';
import { usePageUrl } from '../../lib/navigation';
import { EDIT } from './routes';

/** Address of a category's settings. */
export function useEditUrl(key = 'categories_and_products'): (id: string) => string {
  const { i18n } = useTranslation();
  const url = usePageUrl();
  return (id) => url(key, `${id}/${EDIT[i18n.language === 'en' ? 'en' : 'hu']}`);
}
