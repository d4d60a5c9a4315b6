import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';

/**
 * Whether one came from the guide, which stands in the address: then every way out leads back to it.
 */
export function useFromGuide(): { fromGuide: boolean; query: Record<string, string> } {
  const fromGuide = useSearchParams()[0].get('from') === 'guide';
  return { fromGuide, query: fromGuide ? { from: 'guide' } : {} };
}

/** Back to the guide; after an import (`primary`) to its next step. */
export function ToGuide({ primary = false }: { primary?: boolean }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  return (
    <Link to={url('getting_started', primary ? 'try' : 'menu')}>
      <Button tabIndex={-1} type={primary ? 'primary' : 'default'}>
        {t(primary ? 'menu_imports.guide_go_on' : 'menu_imports.guide_back')}
      </Button>
    </Link>
  );
}
