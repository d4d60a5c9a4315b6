import { amount, type Body, changes, optional } from '../../lib/form/body';
import { type Faults } from '../../lib/form/useDraft';
import {
  GROUP_IDS,
  type Ids,
  idsBody,
  idsOf,
  OPTION_IDS,
} from '../categories-and-products/shared/externalIds';
import { INHERITS_VISIBLE, visibleOf } from '../categories-and-products/shared/draft';
import type { GroupType, Option, OptionGroup, Visible } from '../categories-and-products/shared/types';

/** Minimum and maximum that a type begins with; a maximum of 0 is no limit. */
export const PRESETS: Record<GroupType, { min_no_options: number; max_no_options: number }> = {
  exclusive: { min_no_options: 1, max_no_options: 1 },
  inclusive: { min_no_options: 0, max_no_options: 0 },
  min_max: { min_no_options: 1, max_no_options: 3 },
};

/** Only `min_max` leaves the numbers to the user; the others are what their type says. */
export const numbersAreFree = (type: GroupType): boolean => type === 'min_max';

export interface GroupDraft extends Visible, Ids<(typeof GROUP_IDS)[number]> {
  name: string;
  name_sec_lang: string;
  type: GroupType;
  min_no_options: number | null;
  max_no_options: number | null;
  active: boolean;
}

export const groupDraft = (row: OptionGroup): GroupDraft => ({
  name: row.name,
  name_sec_lang: row.name_sec_lang ?? '',
  type: row.type,
  min_no_options: row.min_no_options,
  max_no_options: row.max_no_options,
  active: row.active,
  ...idsOf(GROUP_IDS, row),
  ...visibleOf(row),
});

export const newGroup = (): GroupDraft => ({
  name: '',
  name_sec_lang: '',
  type: 'exclusive',
  ...PRESETS.exclusive,
  active: true,
  ...idsOf(GROUP_IDS),
  ...INHERITS_VISIBLE,
});

const wholeGroup = (draft: GroupDraft): Body => ({
  ...draft,
  name: draft.name.trim(),
  name_sec_lang: optional(draft.name_sec_lang),
  min_no_options: draft.min_no_options ?? 0,
  max_no_options: draft.max_no_options ?? 0,
  ...idsBody(GROUP_IDS, draft),
});
export const groupBody = (draft: GroupDraft, base?: GroupDraft): Body => {
  if (!base) return wholeGroup(draft);
  const changed = changes(wholeGroup(base), wholeGroup(draft));
  // Type and numbers are checked against each other: they travel together.
  const numbers = ['type', 'min_no_options', 'max_no_options'];
  return numbers.some((n) => n in changed)
    ? { ...changed, ...Object.fromEntries(numbers.map((n) => [n, wholeGroup(draft)[n]])) }
    : changed;
};

export function groupFaults(draft: GroupDraft): Faults {
  const faults: Record<string, string> = {};
  if (!draft.name.trim()) faults.name = 'form.required';
  const [min, max] = [draft.min_no_options ?? 0, draft.max_no_options ?? 0];
  if (max !== 0 && max < min) faults.max_no_options = 'option_groups.max_below_min';
  return faults;
}

export interface OptionDraft extends Visible, Ids<(typeof OPTION_IDS)[number]> {
  option_group_id: string;
  name: string;
  name_sec_lang: string;
  price: string;
  active: boolean;
  allergenic_ids: string[];
  /** The size that it stands for; null: none. */
  subproduct_id: string | null;
  /** Pieces of that size. */
  subproduct_pieces: number | null;
}

export const optionDraft = (row: Option): OptionDraft => ({
  option_group_id: row.option_group_id,
  name: row.name,
  name_sec_lang: row.name_sec_lang ?? '',
  price: amount(row.price) ?? '0',
  active: row.active,
  allergenic_ids: row.allergenic_ids,
  subproduct_id: row.subproduct_id,
  subproduct_pieces: row.subproduct_pieces,
  ...idsOf(OPTION_IDS, row),
  ...visibleOf(row),
});

export const newOption = (group: string): OptionDraft => ({
  option_group_id: group,
  name: '',
  name_sec_lang: '',
  price: '',
  active: true,
  allergenic_ids: [],
  subproduct_id: null,
  subproduct_pieces: 1,
  ...idsOf(OPTION_IDS),
  ...INHERITS_VISIBLE,
});

/** An empty price is 0. */
const wholeOption = (draft: OptionDraft): Body => ({
  ...draft,
  name: draft.name.trim(),
  name_sec_lang: optional(draft.name_sec_lang),
  price: amount(draft.price) ?? '0',
  subproduct_pieces: draft.subproduct_pieces ?? 1,
  ...idsBody(OPTION_IDS, draft),
});

/** The body of a save; `option_group_id` is sent by the move call. */
export const optionBody = (draft: OptionDraft, base?: OptionDraft): Body =>
  base ? changes(wholeOption(base), wholeOption(draft)) : wholeOption(draft);

export const optionFaults = (draft: OptionDraft): Faults =>
  draft.name.trim() ? {} : { name: 'form.required' };
