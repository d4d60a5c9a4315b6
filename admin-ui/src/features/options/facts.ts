import { t } from '../../lib/i18n';
import { facts, idTexts, plain, tri, type Words, yesNo } from '../categories-and-products/facts';
import { GROUP_IDS, OPTION_IDS } from '../categories-and-products/shared/externalIds';
import type { Fact } from '../../lib/form/DraftConflict';
import { CHANNELS, type Visible } from '../categories-and-products/shared/types';
import type { GroupDraft, OptionDraft } from './option';

const visible = Object.fromEntries(CHANNELS.map((channel) => [channel, tri])) as {
  [K in keyof Visible]: typeof tri;
};
const number = (value: number | null): string => String(value ?? 0);

/** The values of a draft for the comparison of two editors' versions. */
export const groupFacts = (draft: GroupDraft): Fact[] =>
  facts('option_groups', draft, {
    name: plain,
    name_sec_lang: plain,
    type: (type) => t(`option_groups.type.${type}`),
    min_no_options: number,
    max_no_options: number,
    active: yesNo,
    ...idTexts(GROUP_IDS),
    ...visible,
  });

export const optionFacts = (draft: OptionDraft, w: Words): Fact[] =>
  facts('options', draft, {
    name: plain,
    name_sec_lang: plain,
    price: (value) => (value ? w.money(value) : ''),
    option_group_id: w.group,
    active: yesNo,
    subproduct_id: (id) => (id ? w.size(id) : ''),
    subproduct_pieces: number,
    allergenic_ids: (ids) => ids.map(w.allergen).join(', '),
    ...idTexts(OPTION_IDS),
    ...visible,
  });
