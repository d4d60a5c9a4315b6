import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { chosenFilters, type FilterName, type FilterValues, RANGES } from './filters';

/** One thing that the list is filtered by, with the filters that say so. */
export interface FilterWords {
  text: string;
  names: readonly FilterName[];
}

/** What is chosen, in words: a range as one. */
export function useFilterWords(): (values: FilterValues) => FilterWords[] {
  const { t } = useTranslation();
  const { number, money, day } = useFormat();
  const shown = (name: FilterName, text: string) => {
    if (name.startsWith('order_sum')) return money(text);
    return name.startsWith('last_order') ? day(text) : number(text);
  };
  return (values) => {
    const chosen = new Set(chosenFilters(values));
    const ranges = RANGES.filter((names) => names.some((name) => chosen.has(name))).map((names) => {
      const [from, till] = names.map((name) => (chosen.has(name) ? shown(name, values[name]) : '…'));
      return { text: `${t(`customers.filter.${names[0]}`)}: ${from} – ${till}`, names };
    });
    if (values.balance === '') return ranges;
    const balance = `${t('customers.filter.balance')}: ${t(`customers.balance.${values.balance}`)}`;
    return [...ranges, { text: balance, names: ['balance'] as const }];
  };
}
