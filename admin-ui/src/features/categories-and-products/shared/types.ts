import type * as api from '../../../generated/model';

/** The document marks what may be null as optional too; answers always hold it. */
type Answer<T> = { [K in keyof T]-?: Exclude<T[K], undefined> };

/** Own value of a three-state field; null is inherited. */
export type Tri = boolean | null;

export const CHANNELS = [
  'visible_online',
  'visible_sit_in',
  'visible_phone',
  'visible_kiosk_sit_in',
  'visible_kiosk_take_away',
] as const;
export type Channel = (typeof CHANNELS)[number];
export type Visible = Record<Channel, Tri>;

export const UNITS = [
  'liter',
  'kilogram',
  'piece',
  'portion',
  'unit',
] as const satisfies readonly api.NtakQuantityUnit[];
export type NtakUnit = (typeof UNITS)[number];

/** Category and unit of the tax report (NTAK). */
export interface Reported {
  ntak_category_id: string | null;
  ntak_quantity_unit: NtakUnit | null;
}

/** Fields that categories, products and sub-products set themselves or inherit (null). */
export interface Inheritable extends Visible, Reported {
  vat_id: string | null;
  sit_in_vat_id: string | null;
  has_tip: Tri;
}

export type Origin = api.ValueOrigin;
export type TimeRange = api.TimeRange;
export type ProductCategory = Answer<Omit<api.ProductCategory, 'products'>>;
export type Subproduct = Answer<api.Subproduct>;
export type Product = Answer<Omit<api.Product, 'subproducts'>> & { subproducts: Subproduct[] };
export type GroupType = api.OptionGroupType;
export const GROUP_TYPES = ['exclusive', 'inclusive', 'min_max'] as const satisfies readonly GroupType[];
export type Option = Answer<api.Option>;
/** What an answer about one group alone has. */
type OfOneGroup = Pick<api.OptionGroup, 'subproducts' | 'product_categories'>;
export type OptionGroup = Answer<Omit<api.OptionGroup, 'options' | keyof OfOneGroup>> &
  OfOneGroup & { options?: Option[] };
export type Vat = api.Vat;
export type NtakCategory = api.NtakCategory;
export type Allergen = api.Allergen;
export type PosColor = api.PosColor;
