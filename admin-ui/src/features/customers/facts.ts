import type { Fact } from '../../lib/form/DraftConflict';
import { t } from '../../lib/i18n';
import type { CustomerDraft } from './draft';

const TEXTS = ['last_name', 'first_name', 'phone_1', 'phone_2', 'email', 'note', 'comment'] as const;

/** The values of a draft for the comparison of two editors' versions. */
export const customerFacts = (draft: CustomerDraft): Fact[] => [
  ...TEXTS.map((path) => ({
    path,
    label: t(`shadow_customers.${path}`),
    value: draft[path],
    text: draft[path],
  })),
  {
    path: 'external_ids',
    label: t('shadow_customers.external_ids'),
    // Keys of rows are those of one draft.
    value: draft.external_ids.map(({ platform, id }) => [platform, id]),
    text: draft.external_ids.map(({ platform, id }) => `${platform}: ${id}`).join(', '),
  },
];

/** Label of a field at fault by its path. */
export function pathLabel(path: string): string {
  const [field, , name] = path.split('.');
  const label = t(`shadow_customers.${field}`);
  return name === undefined ? label : `${label} › ${t(`shadow_customers.external_ids.${name}`)}`;
}
