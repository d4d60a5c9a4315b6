import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { useClear } from '../ui/clear';
import type { Fields } from '../fields/kinds';
import { labelOf, optionLabel } from '../fields/labels';
import { t as translate } from '../i18n';
import { Button } from '../ui/Button';
import { ListSearch } from './listParts';
import type { ResourceListProps } from './listProps';
import type { ListState } from './useListState';

interface Props {
  list: Pick<ResourceListProps, 'resource' | 'fields' | 'filters' | 'filterDefaults' | 'searchPause'>;
  /** Whether the rows can be searched. */
  search: boolean;
  state: ListState;
}

/** Search and filters. */
export function ListTools({ list, search, state }: Props) {
  const { t } = useTranslation();
  const clear = useClear();
  const { resource, fields, filters = [], filterDefaults = {} } = list;
  const choose = (name: string, value: string | undefined) =>
    state.set({ filters: { [name]: value && value !== filterDefaults[name] ? [value] : undefined } });
  return (
    <div className="list-tools" role="search">
      {search && <ListSearch state={state} pause={list.searchPause} />}
      {filters.map((name) => {
        const info = fields[name];
        const options = (info?.kind === 'switch' ? ['true', 'false'] : (info?.options ?? [])).map(
          (value) => ({ value, label: choiceOf(resource, fields, name, value) }),
        );
        return (
          <Select
            key={name}
            allowClear={filterDefaults[name] === undefined && clear}
            aria-label={labelOf(resource, name)}
            placeholder={labelOf(resource, name)}
            className="list-filter"
            popupMatchSelectWidth={false}
            options={options}
            labelRender={({ label }) =>
              isYesOrNo(fields, name) ? `${labelOf(resource, name)}: ${label}` : label
            }
            value={state.filters[name]?.[0] ?? filterDefaults[name] ?? null}
            onChange={(value?: string) => choose(name, value)}
          />
        );
      })}
      {state.filtered && (
        <Button type="link" onClick={state.clear}>
          {t('action.clear_filters')}
        </Button>
      )}
    </div>
  );
}

/** The search and the filters in words. */
export function describeFilters({ resource, fields }: Props['list'], state: ListState): string {
  const filters = Object.entries(state.filters).map(([name, values]) => {
    const words = (values ?? []).map((value) => choiceOf(resource, fields, name, value)).filter(Boolean);
    return words.length > 0 ? `${labelOf(resource, name)}: ${words.join(', ')}` : labelOf(resource, name);
  });
  const parts = [state.search && `„${state.search}”`, ...filters].filter(Boolean);
  return `${translate('list.filtered_by')} ${parts.join('; ')}`;
}

/** What a filter's value is called; nothing for one that a page has put into the address by itself. */
function choiceOf(resource: string, fields: Fields, name: string, value: string): string {
  if (isYesOrNo(fields, name)) return translate(value === 'true' ? 'tri.yes' : 'tri.no');
  if (name === 'active') return translate(value === 'true' ? 'state.active' : 'state.inactive');
  return fields[name]?.options?.includes(value) ? optionLabel(resource, name, value) : '';
}

/** Whether a filter's values say nothing without its name. */
const isYesOrNo = (fields: Fields, name: string): boolean =>
  fields[name]?.kind === 'switch' && name !== 'active';
