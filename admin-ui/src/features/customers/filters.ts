import { PAGE_SIZE } from '../../lib/crud/listProps';
import type { ListState } from '../../lib/crud/useListState';
import type { Faults } from '../../lib/form/useDraft';

/** Names of the filters, as they stand in the address and in the call. None of them is personal data. */
export const FILTERS = [
  'order_count_from',
  'order_count_till',
  'order_sum_from',
  'order_sum_till',
  'last_order_from',
  'last_order_till',
  'balance',
] as const;
export type FilterName = (typeof FILTERS)[number];

/** Where a balance may stand; without one of them all are shown. */
export const BALANCES = ['negative', 'positive', 'equal'] as const;
export type BalanceSide = (typeof BALANCES)[number];

/** The filters as they are edited; an empty text is no bound. */
export type FilterValues = Record<FilterName, string>;
export const NO_FILTERS = Object.fromEntries(FILTERS.map((name) => [name, ''])) as FilterValues;

const WHOLE = /^\d{1,9}$/;
const AMOUNT = /^\d{1,12}(\.\d{1,2})?$/;
/** A day that exists: 30 February becomes another one. */
const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;

const FITS: Record<FilterName, (text: string) => boolean> = {
  order_count_from: (text) => WHOLE.test(text),
  order_count_till: (text) => WHOLE.test(text),
  order_sum_from: (text) => AMOUNT.test(text),
  order_sum_till: (text) => AMOUNT.test(text),
  last_order_from: isDay,
  last_order_till: isDay,
  balance: (text) => (BALANCES as readonly string[]).includes(text),
};

/** The filters of an address; what nobody could have chosen here counts as not chosen. */
export function filtersOf(found: Readonly<Record<string, readonly string[] | undefined>>): FilterValues {
  const of = (name: FilterName) => {
    const text = found[name]?.[0] ?? '';
    return FITS[name](text) ? text : '';
  };
  return Object.fromEntries(FILTERS.map((name) => [name, of(name)])) as FilterValues;
}

/** What an address holds of the filters; one that is not chosen is taken out. */
export const addressOf = (values: FilterValues): Record<string, string[] | undefined> =>
  Object.fromEntries(FILTERS.map((name) => [name, values[name] === '' ? undefined : [values[name]]]));

/** Two bounds of one thing, the lower one first. */
export const RANGES = [
  ['order_count_from', 'order_count_till'],
  ['order_sum_from', 'order_sum_till'],
  ['last_order_from', 'last_order_till'],
] as const satisfies readonly (readonly [FilterName, FilterName])[];

/** Keys of texts by filter: a range that ends before it begins finds nobody. */
export function filterFaults(values: FilterValues): Faults {
  const below = (from: string, till: string) =>
    from.includes('-') || till.includes('-') ? till < from : Number(till) < Number(from);
  return Object.fromEntries(
    RANGES.flatMap(([from, till]) =>
      values[from] !== '' && values[till] !== '' && below(values[from], values[till])
        ? [[till, 'customers.range_turned']]
        : [],
    ),
  );
}

/** What is chosen, in the order in which it is shown. */
export const chosenFilters = (values: FilterValues): FilterName[] =>
  FILTERS.filter((name) => values[name] !== '');

/** Columns that the service sorts by. */
export const SORTS = ['name', 'order_number', 'order_total_sum', 'last_order_at', 'created_at', 'balance'];

/** What the service is asked for a page of the list. */
export function queryOf({
  search,
  page,
  sort,
  filters,
}: Pick<ListState, 'search' | 'page' | 'sort' | 'filters'>) {
  const values = filtersOf(filters);
  const chosen = chosenFilters(values).map((name) => [name, values[name]] as const);
  return {
    limit: PAGE_SIZE,
    // The service counts from 0.
    page: page - 1,
    count: true,
    ...(search ? { name: search } : {}),
    ...(sort && SORTS.includes(sort.field)
      ? { sort: sort.order === 'desc' ? `${sort.field}_desc` : sort.field }
      : {}),
    ...Object.fromEntries(chosen),
  };
}
