import type { Platform } from '../../../generated/model';
import { type Body, optional } from '../../../lib/form/body';

export const PRODUCT_IDS = ['hiopos_id'] as const;
export const SIZE_IDS = ['wolt_id', 'foodora_id', 'bolt_id', 'ordering_id', 'hiopos_id'] as const;
export const GROUP_IDS = ['hiopos_id'] as const;
export const OPTION_IDS = [
  'wolt_id',
  'foodora_id',
  'bolt_id',
  'ordering_id',
  'hiopos_size_id',
  'hiopos_product_id',
] as const;

/** A field that holds the id of a row in another system. */
export type IdField = (typeof SIZE_IDS | typeof OPTION_IDS)[number];
/** Ids of a draft; an empty one is none. */
export type Ids<F extends IdField> = Record<F, string>;

/** The system that a field is of. */
export const platformOf = (field: IdField): Platform => field.replace(/_id$/, '') as Platform;

/** The ids of a row; none of a new one. */
export const idsOf = <F extends IdField>(
  fields: readonly F[],
  row?: Partial<Record<F, string | null>>,
): Ids<F> => Object.fromEntries(fields.map((field) => [field, row?.[field] ?? ''])) as Ids<F>;

/** The ids as a body has them. */
export const idsBody = <F extends IdField>(fields: readonly F[], draft: Ids<F>): Body =>
  Object.fromEntries(fields.map((field) => [field, optional(draft[field])]));
