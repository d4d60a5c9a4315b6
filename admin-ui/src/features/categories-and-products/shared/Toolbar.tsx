import { Checkbox } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useCan } from '../../../lib/access';
import { SearchInput } from '../../../lib/ui/SearchInput';
import { setShown, useShown } from './shown';

/** A search that stands in the address. */
export function useSearch(name: string): [string, (text: string) => void] {
  const [params, setParams] = useSearchParams();
  return [
    params.get(name) ?? '',
    (text) =>
      setParams(
        (old) => {
          const next = new URLSearchParams(old);
          if (text) next.set(name, text);
          else next.delete(name);
          return next;
        },
        { replace: true },
      ),
  ];
}

export function SearchBox({ name, label }: { name: string; label: string }) {
  const [query, setQuery] = useSearch(name);
  return <SearchInput label={label} value={query} onSearch={setQuery} />;
}

/** Which rows are shown: a choice of those who edit. */
export function ShownBoxes() {
  const { t } = useTranslation();
  const can = useCan();
  const shown = useShown();
  if (!can('catalog_edit')) return null;
  return (
    <div className="cat-shown" role="group" aria-label={t('catalogue.shown')}>
      <Checkbox checked={shown.active} onChange={(event) => setShown({ active: event.target.checked })}>
        {t('catalogue.show_active')}
      </Checkbox>
      <Checkbox checked={shown.inactive} onChange={(event) => setShown({ inactive: event.target.checked })}>
        {t('catalogue.show_inactive')}
      </Checkbox>
    </div>
  );
}
