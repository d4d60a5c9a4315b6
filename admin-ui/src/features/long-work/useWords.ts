import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { usePageUrl } from '../../lib/navigation';
import type { WorkWords } from '../../lib/work';

/** What rows are put into words with. */
export function useWords(): WorkWords {
  const { t } = useTranslation();
  return { t, format: useFormat(), url: usePageUrl() };
}
