import type { Body } from '../../lib/form/body';
import type { Faults } from '../../lib/form/useDraft';
import { amount, changes } from '../../lib/form/body';
import { type Details, detailsBody, detailsFaults, detailsOf, NO_DETAILS } from '../account/details';
import type { Tree } from './tree';
import { type Admin, SURFACES, type Surface, type TargetType } from './types';

/** The key that the largest discount belongs to. */
export const DISCOUNT = 'pos_cart_discount';
/** OWASP and NIST: length counts. */
const MIN_PASSWORD = 6;

/** A person as the editor holds it; rights by their keys. */
export interface Draft extends Details {
  email: string;
  last_name: string;
  first_name: string;
  tel: string;
  language: 'hu' | 'en';
  target_type: TargetType;
  restaurant_ids: string[];
  permissions: string[];
  full_target_access: boolean;
  surfaces: Surface[];
  max_discount_percent: string;
  /** A password is given here instead of chosen by the person. */
  with_password: boolean;
  password: string;
  password_again: string;
}

const SECRETS = { with_password: false, password: '', password_again: '' };

/** Somebody new: works in the restaurant of the page, signs in to the admin. */
export const freshDraft = (restaurant: string, language: 'hu' | 'en'): Draft => ({
  email: '',
  last_name: '',
  first_name: '',
  tel: '',
  language,
  target_type: 'Restaurant',
  restaurant_ids: [restaurant],
  permissions: ['admin_login'],
  full_target_access: false,
  surfaces: ['admin'],
  max_discount_percent: '',
  ...NO_DETAILS,
  ...SECRETS,
});

export const draftOf =
  (tree: Tree) =>
  (row: Admin): Draft => ({
    email: row.email,
    last_name: row.last_name,
    first_name: row.first_name,
    tel: row.tel,
    language: row.language,
    target_type: row.target_type,
    restaurant_ids: row.restaurant_ids ?? [],
    permissions: sorted(
      tree,
      row.permission_ids.flatMap((id) => tree.byId.get(id)?.key ?? []),
    ),
    full_target_access: row.full_target_access,
    surfaces: SURFACES.filter((s) => row.surfaces.includes(s)),
    max_discount_percent: amount(row.max_discount_percent) ?? '',
    ...detailsOf(row),
    ...SECRETS,
  });

/** Keys in the order of the tree, so that the same rights compare as the same. */
export const sorted = (tree: Tree, keys: Iterable<string>): string[] => {
  const granted = new Set(keys);
  return [...tree.byKey.keys()].filter((key) => granted.has(key));
};

/** What is sent: the discount goes with its right, the password only when one is given. */
export const bodyOf =
  (tree: Tree) =>
  (draft: Draft, base?: Draft): Body => {
    const whole = (d: Draft): Body => ({
      email: d.email.trim(),
      last_name: d.last_name.trim(),
      first_name: d.first_name.trim(),
      tel: d.tel.trim(),
      language: d.language,
      target_type: d.target_type,
      restaurant_ids: d.target_type === 'Partner' ? null : [...d.restaurant_ids].sort(),
      permission_ids: sorted(tree, d.permissions).map((key) => tree.byKey.get(key)!.id),
      full_target_access: d.full_target_access,
      surfaces: SURFACES.filter((s) => d.surfaces.includes(s)),
      max_discount_percent:
        d.full_target_access || d.permissions.includes(DISCOUNT) ? amount(d.max_discount_percent) : null,
      ...detailsBody(d),
    });
    const secrets: Body = {
      ...(draft.with_password ? { password: draft.password, password_again: draft.password_again } : {}),
    };
    // Of somebody new, details that nobody entered are not sent.
    if (!base) {
      const { timezone, billing_details, ...rest } = whole(draft);
      return {
        ...rest,
        ...(timezone ? { timezone } : {}),
        ...(billing_details ? { billing_details } : {}),
        ...secrets,
      };
    }
    return { ...changes(whole(base), whole(draft)), ...secrets };
  };

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const isUnnamed = ({ last_name, first_name }: Draft) => !last_name.trim() && !first_name.trim();

/** @param base undefined for somebody new. */
export const faultsOf =
  (base: Draft | undefined) =>
  (draft: Draft): Faults => {
    const faults: Record<string, string> = { ...detailsFaults(draft) };
    if (!draft.email.trim()) faults.email = 'form.required';
    else if (!EMAIL.test(draft.email.trim())) faults.email = 'form.email';
    // Who was invited has no name yet, and other fields are changed without one.
    if (isUnnamed(draft) && !(base && isUnnamed(base))) faults.last_name = 'form.required';
    if (draft.target_type === 'Restaurant' && draft.restaurant_ids.length === 0)
      faults.restaurant_ids = 'users.restaurant_missing';
    if (
      draft.max_discount_percent !== '' &&
      !(Number(draft.max_discount_percent) >= 0 && Number(draft.max_discount_percent) <= 100)
    )
      faults.max_discount_percent = 'users.discount_range';
    if (draft.with_password) {
      if (draft.password.length < MIN_PASSWORD) faults.password = 'users.password_short';
      if (draft.password !== draft.password_again) faults.password_again = 'users.password_differs';
    }
    return faults;
  };

/** The field of the form for a key of the service. */
export function placeOf(key: string): string | undefined {
  const field = key.split('.')[0] ?? '';
  if (['timezone', 'billing_details', 'addresses'].includes(field)) return key;
  if (field === 'permission_ids') return 'permissions';
  if (field === 'name') return 'last_name';
  return [
    'email',
    'last_name',
    'first_name',
    'tel',
    'language',
    'target_type',
    'restaurant_ids',
    'full_target_access',
    'surfaces',
    'max_discount_percent',
    'password',
    'password_again',
  ].includes(field)
    ? field
    : undefined;
}
