/** What the service answers about the catalogue. */

/** Own value of a three-state field; null is inherited. */
export type Tri = boolean | null;

export const CHANNELS = ['visible_online', 'visible_sit_in', 'visible_phone', 'visible_kiosk_sit_in', 'visible_kiosk_take_away'] as const;
export type Channel = (typeof CHANNELS)[number];

export type Visible = Record<Channel, Tri>;

/** What categories, products and sub-products may say themselves or leave to the level above (null). */
export interface Inheritable extends Visible {
  vat_id: string | null;
  sit_in_vat_id: string | null;
  has_tip: Tri;
}

export type Origin = 'subproduct' | 'product' | 'category' | 'parent_category' | 'restaurant';

interface EffectiveVat {
  id: string;
  percent: number;
  from: Origin;
}

/** The values that hold, with the level they come from. */
export type Effective = Record<Channel, { value: boolean; from: Origin }> & {
  vat: EffectiveVat;
  sit_in_vat: EffectiveVat;
  has_tip: { value: Tri; from: Origin };
};

interface Texts {
  name: string;
  name_sec_lang: string | null;
}

interface Described extends Texts {
  description: string | null;
  description_sec_lang: string | null;
}

/** In local wall time; one that ends before it begins reaches into the next day. */
export interface TimeRange {
  day: 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun' | 'every_day';
  /** HH:MM */
  from: string;
  /** HH:MM, the minute counts whole. */
  till: string;
}

interface Schedule {
  /** Instants. */
  available_from: string | null;
  available_to: string | null;
  /** Publication date. */
  expected_at: string | null;
}

interface Row {
  id: string;
  ranking: number;
  active: boolean;
}

export interface ProductCategory extends Row, Described, Inheritable, Schedule {
  parent_id: string | null;
  archived_at: string | null;
  time_ranges: TimeRange[] | null;
  pos_color_id: string | null;
  version: number;
  effective: Effective;
  children_count: number;
  product_count: number;
}

export interface OptionGroupShort {
  id: string;
  name: string;
  type: GroupType;
  min_no_options: number;
  max_no_options: number;
}

export interface Subproduct extends Row, Described, Inheritable {
  product_id: string;
  /** Gross, in the restaurant's currency. */
  price: number;
  option_groups: OptionGroupShort[];
  allergenic_ids: string[];
  ean_code: string | null;
  /** Pieces that may still be sold; null: not counted. */
  sellable_quantity: number | null;
  effective: Effective;
}

export interface Product extends Row, Described, Inheritable, Schedule {
  product_category_id: string;
  pos_color_id: string | null;
  ean_code: string | null;
  /** Null where there are several sub-products. */
  base_price: number | null;
  subproducts: Subproduct[];
  version: number;
  effective: Effective;
}

/** A product as pickers and the search over all categories have it. */
export interface ProductShort {
  id: string;
  name: string;
  active: boolean;
  product_category_id: string;
  subproducts: { id: string; name: string; active: boolean; price: number }[];
}

export const GROUP_TYPES = ['exclusive', 'inclusive', 'min_max'] as const;
export type GroupType = (typeof GROUP_TYPES)[number];

export interface OptionGroup extends Row, Texts, Visible {
  type: GroupType;
  min_no_options: number;
  /** 0: no limit. */
  max_no_options: number;
  options?: Option[];
  /** Sub-products that use it. */
  subproduct_count: number;
  version: number;
}

export interface Option extends Row, Texts, Visible {
  option_group_id: string;
  price: number;
  allergenic_ids: string[];
  version: number;
}

export interface Vat {
  id: string;
  name_en: string;
  name_local: string;
  percent: number;
}

export interface Allergen {
  id: string;
  code: string;
  name: string;
  name_en: string;
}

export interface PosColor {
  id: string;
  name: string;
  name_en?: string;
  /** #RRGGBB */
  bg_color: string;
  text_color: string;
}
