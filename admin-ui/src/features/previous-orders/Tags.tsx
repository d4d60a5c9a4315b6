import { CloseOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Button } from '../../lib/ui/Button';
import type { Filter } from './filter';
import { useFilterWords } from './useWords';

interface Props {
  filter: Filter;
  onChange: (filter: Filter) => void;
  onReset: () => void;
}

/** What the list is filtered by, each with a way out. */
export function Tags({ filter, onChange, onReset }: Props) {
  const { t } = useTranslation();
  const chosen = useFilterWords()(filter);
  if (chosen.length === 0) return null;
  return (
    <div className="previous-tags">
      <span id="previous-tags">{t('list.filtered_by')}</span>
      <ul aria-labelledby="previous-tags">
        {chosen.map(({ text, without }) => (
          <li key={text}>
            <Button
              icon={<CloseOutlined />}
              iconPlacement="end"
              aria-label={t('previous.filter_off', { filter: text })}
              onClick={() => onChange({ ...filter, ...without })}
            >
              {text}
            </Button>
          </li>
        ))}
      </ul>
      <Button type="link" onClick={onReset}>
        {t('action.clear_filters')}
      </Button>
    </div>
  );
}
