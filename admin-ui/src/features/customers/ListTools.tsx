import { CloseOutlined, FilterOutlined } from '@ant-design/icons';
import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListState } from '../../lib/crud/useListState';
import { later } from '../../lib/later';
import { Button } from '../../lib/ui/Button';
import { useClear } from '../../lib/ui/clear';
import { SearchInput } from '../../lib/ui/SearchInput';
import { addressOf, BALANCES, chosenFilters, filtersOf, NO_FILTERS } from './filters';
import { useFilterWords } from './useFilterWords';

const FiltersDrawer = later(
  async () => ({ default: (await import('./FiltersDrawer')).FiltersDrawer }),
  'over',
);

interface Props {
  state: ListState;
  /** With the filter of balances. */
  balance: boolean;
  /** Without the filters of orders. */
  plain?: boolean;
}

/** Search, the balance, more filters, and what of them is chosen. */
export function ListTools({ state, balance, plain = false }: Props) {
  const { t } = useTranslation();
  const clear = useClear();
  const [choosing, setChoosing] = useState(false);
  const values = filtersOf(state.filters);
  const number = chosenFilters({ ...values, balance: '' }).length;
  return (
    <div className="list-tools" role="search">
      <SearchInput
        className="list-search customer-search"
        label={t('customers.search')}
        value={state.search}
        onSearch={(search) => state.set({ search })}
      />
      {balance && (
        <Select
          allowClear={clear}
          className="list-filter"
          aria-label={t('customers.filter.balance')}
          placeholder={t('customers.filter.balance')}
          popupMatchSelectWidth={false}
          options={BALANCES.map((value) => ({ value, label: t(`customers.balance.${value}`) }))}
          value={values.balance || null}
          onChange={(next?: string | null) =>
            state.set({ filters: addressOf({ ...values, balance: next ?? '' }) })
          }
        />
      )}
      {!plain && (
        <Button icon={<FilterOutlined />} onClick={() => setChoosing(true)}>
          {number > 0 ? t('customers.more_filters_on', { number }) : t('customers.more_filters')}
        </Button>
      )}
      {state.filtered && (
        <Button type="link" onClick={state.clear}>
          {t('action.clear_filters')}
        </Button>
      )}
      {!plain && <Chosen state={state} />}
      {choosing && (
        <FiltersDrawer
          values={values}
          onChoose={(next) => state.set({ filters: addressOf(next) })}
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  );
}

/** The filters that the drawer holds, each with a way out. */
function Chosen({ state }: { state: ListState }) {
  const { t } = useTranslation();
  const wordsOf = useFilterWords();
  const values = filtersOf(state.filters);
  const chosen = wordsOf({ ...values, balance: '' });
  if (chosen.length === 0) return null;
  return (
    <ul className="customer-filters" aria-label={t('customers.filters_on')}>
      {chosen.map(({ text, names }) => (
        <li key={text}>
          <Button
            icon={<CloseOutlined />}
            iconPlacement="end"
            aria-label={t('customers.filter_off', { filter: text })}
            onClick={() =>
              state.set({
                filters: addressOf({
                  ...values,
                  ...Object.fromEntries(names.map((name) => [name, NO_FILTERS[name]])),
                }),
              })
            }
          >
            {text}
          </Button>
        </li>
      ))}
    </ul>
  );
}
