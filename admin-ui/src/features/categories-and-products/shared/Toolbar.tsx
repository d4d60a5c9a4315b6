import { SearchOutlined } from '@ant-design/icons';
import { Checkbox, Input } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useCan } from '../../../lib/access';
import { useDebounced } from '../../../lib/hooks';
import { setShown, useShown } from './shown';

/** From the last key until the search begins. */
const DEBOUNCE_MS = 600;

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
  const [text, setText] = useState(query);
  const still = useDebounced(text, DEBOUNCE_MS);
  useEffect(() => {
    if (still.trim() !== query) setQuery(still.trim());
    // only when typing has paused
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [still]);
  useEffect(() => setText(query), [query]);
  return (
    <Input
      allowClear
      className="list-search"
      prefix={<SearchOutlined aria-hidden />}
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        if (event.target.value === '') setQuery('');
      }}
      onPressEnter={() => setQuery(text.trim())}
    />
  );
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
