import { type Body, changes, optional } from '../../lib/form/body';
import type { Faults } from '../../lib/form/useDraft';

/** An id that another platform knows the customer by; `key` tells rows of a draft apart. */
export interface ExternalId {
  key: string;
  platform: string;
  id: string;
}

export interface CustomerDraft {
  first_name: string;
  last_name: string;
  phone_1: string;
  phone_2: string;
  email: string;
  note: string;
  comment: string;
  external_ids: ExternalId[];
}

/** What a draft is made of. */
export interface CustomerFields {
  first_name: string;
  last_name: string;
  phone_1?: string | null;
  phone_2?: string | null;
  email?: string | null;
  note?: string | null;
  comment?: string | null;
  external_ids: readonly { platform: string; id: string }[];
}

export const newCustomer = (): CustomerDraft => ({
  first_name: '',
  last_name: '',
  phone_1: '',
  phone_2: '',
  email: '',
  note: '',
  comment: '',
  external_ids: [],
});

export const customerDraft = (row: CustomerFields): CustomerDraft => ({
  first_name: row.first_name,
  last_name: row.last_name,
  phone_1: row.phone_1 ?? '',
  phone_2: row.phone_2 ?? '',
  email: row.email ?? '',
  note: row.note ?? '',
  comment: row.comment ?? '',
  external_ids: row.external_ids.map(({ platform, id }, place) => ({ key: String(place), platform, id })),
});

const whole = (draft: CustomerDraft): Body => ({
  first_name: draft.first_name.trim(),
  last_name: draft.last_name.trim(),
  phone_1: optional(draft.phone_1),
  phone_2: optional(draft.phone_2),
  email: optional(draft.email),
  note: optional(draft.note),
  comment: optional(draft.comment),
  external_ids: draft.external_ids.map(({ platform, id }) => ({ platform: platform.trim(), id: id.trim() })),
});

/** The body of a save: everything of a new customer that is filled in, else what differs. */
export function customerBody(draft: CustomerDraft, base?: CustomerDraft): Body {
  if (base) return changes(whole(base), whole(draft));
  return Object.fromEntries(
    Object.entries(whole(draft)).filter(
      ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

/** A whole address of a mailbox, as far as a form can tell. */
const EMAIL = /^[^\s@<>,;"()]+@[^\s@<>,;"()]+\.[^\s@<>,;"().]+$/;
/** Whatever can be called has a digit. */
const PHONE = /\d/;

/** Keys of texts by the path of their field. */
export function customerFaults(draft: CustomerDraft): Faults {
  const faults: Record<string, string> = {};
  for (const name of ['last_name', 'first_name'] as const)
    if (!draft[name].trim()) faults[name] = 'form.required';
  for (const name of ['phone_1', 'phone_2'] as const)
    if (draft[name].trim() && !PHONE.test(draft[name].trim())) faults[name] = 'customers.fault_phone';
  if (draft.email.trim() && !EMAIL.test(draft.email.trim())) faults.email = 'form.email';
  for (const { key, platform, id } of draft.external_ids) {
    if (!platform.trim()) faults[`external_ids.${key}.platform`] = 'form.required';
    if (!id.trim()) faults[`external_ids.${key}.id`] = 'form.required';
  }
  return faults;
}

/** The path of the field for a key of the service, which counts rows where a draft has keys. */
export function customerPath(key: string, draft: CustomerDraft): string | undefined {
  const [field = '', place, name] = key.split('.');
  if (!Object.hasOwn(draft, field)) return undefined;
  if (field !== 'external_ids') return field;
  const row = place === undefined ? undefined : draft.external_ids[Number(place)];
  return row ? `external_ids.${row.key}.${name === 'id' ? 'id' : 'platform'}` : 'external_ids';
}
