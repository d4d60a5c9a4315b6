/** What previous orders are filtered by: as it is edited, stands in the address, is kept and sent. */
import type { OrderFilter, OrdersListParams } from '../../generated/model';
import type { DateFilter } from '../../generated/model/dateFilter';
import type { DiscountFilter } from '../../generated/model/discountFilter';

/** `partial` are the orders with partial stornos, and these. */
export const STORNOS = ['all', 'only', 'except', 'partial'] as const;
export type Storno = (typeof STORNOS)[number];
export const DISCOUNTS: readonly DiscountFilter[] = ['all', 'true', 'false'];
export const DATES_BY: readonly DateFilter[] = ['created_at', 'show_at'];

export interface Filter {
  /** One search of number, name, phone and address. */
  q: string;
  id: string;
  counter: string;
  name: string;
  phone_1: string;
  city: string;
  street: string;
  premise_number: string;
  /** A business day (`2026-05-31`) or an instant; the minute of `till` counts whole. */
  from: string;
  till: string;
  date_filter_by: DateFilter;
  payment_methods: readonly string[];
  platforms: readonly string[];
  storno: Storno;
  has_discount: DiscountFilter;
}

export const NO_FILTER: Filter = {
  q: '',
  id: '',
  counter: '',
  name: '',
  phone_1: '',
  city: '',
  street: '',
  premise_number: '',
  from: '',
  till: '',
  date_filter_by: 'created_at',
  payment_methods: [],
  platforms: [],
  storno: 'all',
  has_discount: 'all',
};

/** Who a guest is and where they live: kept on the device, never in an address. */
export const PERSONAL = ['q', 'name', 'phone_1', 'city', 'street', 'premise_number'] as const;
const LONGEST: Partial<Record<keyof Filter, number>> = {
  q: 100,
  counter: 20,
  name: 100,
  phone_1: 40,
  city: 100,
  street: 100,
  premise_number: 30,
};
/** As the service counts. */
export const longest = (name: keyof Filter): number => LONGEST[name] ?? 40;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isId = (text: string): boolean => UUID.test(text);
/** A day that exists: 30 February becomes another one. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;
/** With a time. */
export const isInstant = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) &&
  isDay(text.slice(0, 10)) &&
  !Number.isNaN(Date.parse(text));

const text = (of: keyof Filter) => (value: unknown) =>
  typeof value === 'string' ? value.trim().slice(0, longest(of)) : '';
const when = (value: unknown) =>
  typeof value === 'string' && (isDay(value) || isInstant(value)) ? value : '';
const several = (fits: (one: string) => boolean) => (value: unknown) =>
  Array.isArray(value)
    ? [...new Set(value.filter((one): one is string => typeof one === 'string' && fits(one)))].slice(0, 50)
    : [];
const oneOf =
  <T extends string>(values: readonly T[]) =>
  (value: unknown): T =>
    values.find((one) => one === value) ?? values[0]!;

/** Brings each value to what could have been chosen here. */
const CLEAN: { [N in keyof Filter]: (value: unknown) => Filter[N] } = {
  id: (value) => (typeof value === 'string' && isId(value.trim()) ? value.trim().toLowerCase() : ''),
  q: text('q'),
  counter: text('counter'),
  name: text('name'),
  phone_1: text('phone_1'),
  city: text('city'),
  street: text('street'),
  premise_number: text('premise_number'),
  from: when,
  till: when,
  date_filter_by: oneOf(DATES_BY),
  payment_methods: several(isId),
  platforms: several((one) => /^[a-z\d_]{1,40}$/.test(one)),
  storno: oneOf(STORNOS),
  has_discount: oneOf(DISCOUNTS),
};
const NAMES = Object.keys(NO_FILTER) as (keyof Filter)[];

/** A filter made of what somebody typed, or another release kept. */
export const cleaned = (values: Partial<Record<keyof Filter, unknown>>): Filter =>
  Object.fromEntries(NAMES.map((name) => [name, CLEAN[name](values[name])])) as unknown as Filter;

/** Whether something is chosen. Which date counts says nothing without a date. */
export const isSet = (filter: Filter, name: keyof Filter): boolean =>
  name === 'date_filter_by'
    ? filter[name] !== NO_FILTER[name] && (filter.from !== '' || filter.till !== '')
    : String(filter[name]) !== String(NO_FILTER[name]);

/** How many of the folded filters are chosen; a range is one. */
export const foldedCount = (filter: Filter): number =>
  setNames(filter).filter(
    (name) => name !== 'q' && name !== 'date_filter_by' && !(name === 'till' && filter.from !== ''),
  ).length;

export const setNames = (filter: Filter): (keyof Filter)[] => NAMES.filter((name) => isSet(filter, name));
export const isFiltered = (filter: Filter): boolean => setNames(filter).length > 0;
export const sameFilter = (a: Filter, b: Filter): boolean =>
  JSON.stringify(bodyOf(a)) === JSON.stringify(bodyOf(b));

const isPersonal = (name: keyof Filter): boolean => (PERSONAL as readonly string[]).includes(name);
const IN_ADDRESS = NAMES.filter((name) => !isPersonal(name));

/** Whether an address says what is filtered by. */
export const speaks = (search: string): boolean => {
  const params = new URLSearchParams(search);
  return IN_ADDRESS.some((name) => params.has(name));
};

/** The filter of an address; what nobody could have chosen here counts as not chosen. */
export function filterAt(search: string): Filter {
  const params = new URLSearchParams(search);
  const found = IN_ADDRESS.map((name) => [
    name,
    Array.isArray(NO_FILTER[name]) ? params.getAll(name) : params.get(name),
  ]);
  return cleaned(Object.fromEntries(found));
}

/** The query of an address with this filter, without what is personal; other words of it stay. */
export function searchOf(filter: Filter, search = ''): string {
  const params = new URLSearchParams(search);
  for (const name of IN_ADDRESS) {
    params.delete(name);
    if (!isSet(filter, name)) continue;
    for (const value of [filter[name]].flat()) params.append(name, value as string);
  }
  const made = params.toString();
  return made && `?${made}`;
}

/** A day as it is; of an instant the end of its minute, because the service counts the second that is named. */
const endOf = (till: string): string => (isInstant(till) ? till.replace(/:\d\dZ$/, ':59Z') : till);

/** What is sent: only what is chosen. */
export function bodyOf(filter: Filter): OrderFilter {
  const { storno, till, ...rest } = filter;
  const body: Record<string, unknown> = {};
  for (const name of Object.keys(rest) as (keyof typeof rest)[])
    if (isSet(filter, name)) body[name] = rest[name];
  if (till) body.till = endOf(till);
  if (storno === 'partial') body.partial_storno = true;
  else if (storno !== 'all') body.storno = storno;
  return body as OrderFilter;
}

/** The same as a query of the list. */
export function queryOf(filter: Filter): OrdersListParams {
  const { payment_methods, platforms, ...rest } = bodyOf(filter);
  return {
    ...(rest as Omit<OrdersListParams, 'payment_methods[]' | 'platforms[]'>),
    'payment_methods[]': payment_methods ?? [],
    'platforms[]': platforms ?? [],
  };
}

/** The filter that a body says, of one that was saved. */
export const filterOf = (body: OrderFilter): Filter =>
  cleaned({
    ...body,
    till: body.till?.replace(/:59Z$/, ':00Z'),
    storno: body.partial_storno || body.storno === 'partial_storno' ? 'partial' : body.storno,
  });
