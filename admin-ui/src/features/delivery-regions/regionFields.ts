import { fields as plain } from '../../generated/fields/delivery_regions.gen';
import { fields as street } from '../../generated/fields/delivery_streets.gen';
import type { FormBodyProps, Layout } from '../../lib/crud';
import type { FieldInfo, Fields } from '../../lib/fields/kinds';

const AMOUNTS = [
  'price',
  'min_order_price',
  'threshold_price',
  'price_under_threshold',
  'courier_price',
] as const;
/** What the map asks for beyond the list. */
const ON_MAP: readonly string[] = ['threshold_price', 'price_under_threshold'];

/** Forints have no decimals. */
const amountIn = (currency: string, info: FieldInfo): FieldInfo =>
  currency === 'huf' ? { ...info, kind: 'integer' } : info;

/** The fields of a region; the map's editor requires two more than the list's. */
export function regionFields(currency: string, onMap: boolean): Fields {
  const all: Record<string, FieldInfo> = { ...plain };
  for (const name of AMOUNTS) {
    const required = all[name]?.required || (onMap && ON_MAP.includes(name));
    all[name] = { ...amountIn(currency, plain[name] as FieldInfo), ...(required && { required }) };
  }
  return all;
}

export const streetFields = (currency: string): Fields => ({
  ...street,
  price: amountIn(currency, street.price as FieldInfo),
});

/** Order of a region's fields. */
export const REGION_FORM: Layout = [
  'name',
  ['price', 'min_order_price'],
  ['threshold_price', 'price_under_threshold'],
  'courier_price',
  'active',
];

export const unitOf = (currency: string): string => (currency === 'huf' ? 'Ft' : currency.toUpperCase());

export const regionOverrides = (currency: string): NonNullable<FormBodyProps['overrides']> =>
  Object.fromEntries(AMOUNTS.map((name) => [name, { unit: unitOf(currency) }]));

/** What goes with a region, for the question before. */
export const goesWith = (
  { streets, polygons }: Partial<Record<string, unknown>>,
  number: (value: number) => string,
): Record<string, string> => ({
  streets: number(Number(streets ?? 0)),
  shapes: number(Number(polygons ?? 0)),
});
