import type { Faults } from '../../../lib/form/useDraft';
import { GROUP_IDS, OPTION_IDS, PRODUCT_IDS, SIZE_IDS } from './externalIds';
import { CHANNELS } from './types';

const NAME = ['name', 'name_sec_lang'] as const;
const TEXTS = [...NAME, 'description', 'description_sec_lang'] as const;
const PERIOD = ['available_from', 'available_to', 'expected_at'] as const;
const TAX = ['vat_id', 'sit_in_vat_id', 'ntak_category_id', 'ntak_quantity_unit', 'has_tip'] as const;

// The fields of each editor by group. One that is in no group would be at fault unseen.
export const CATEGORY = {
  name: [...TEXTS, 'image_web_id', 'image_app_id', 'image_desc_id'],
  place: ['active', 'parent_id'],
  where: [...CHANNELS, ...PERIOD, 'time_ranges'],
  tax: TAX,
  till: ['pos_color_id'],
} as const;

export const PRODUCT = {
  name: [...TEXTS, 'image_id'],
  sizes: ['subproducts'],
  place: ['active', 'product_category_id'],
  where: [...CHANNELS, ...PERIOD],
  tax: TAX,
  till: ['pos_color_id', 'ean_code', ...PRODUCT_IDS],
} as const;

export const SIZE = {
  texts: TEXTS,
  head: ['price', 'active', 'sellable_quantity'],
  choices: ['option_group_ids', 'allergenic_ids'],
  parts: ['components', 'deposit_pieces'],
  where: CHANNELS,
  tax: [...TAX, 'ntak_quantity'],
  till: ['ean_code', ...SIZE_IDS],
} as const;

export const OPTION_GROUP = {
  name: [...NAME, 'type', 'min_no_options', 'max_no_options', 'active'],
  where: CHANNELS,
  systems: GROUP_IDS,
} as const;

export const OPTION = {
  name: [...NAME, 'price', 'option_group_id', 'active', 'allergenic_ids'],
  size: ['subproduct_id', 'subproduct_pieces'],
  where: CHANNELS,
  systems: OPTION_IDS,
} as const;

/** How many fields of a group are at fault; `time_ranges.0` is one of `time_ranges`. */
export const faultsIn = (faults: Faults, fields: readonly string[], prefix = ''): number =>
  Object.keys(faults).filter(
    (path) => path.startsWith(prefix) && fields.includes(path.slice(prefix.length).split('.')[0]!),
  ).length;
