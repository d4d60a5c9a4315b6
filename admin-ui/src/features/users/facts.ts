import { t } from '../../lib/i18n';
import type { Language } from '../../lib/format';
import type { Fact } from '../../lib/form/DraftConflict';
import type { Draft } from './draft';
import type { Tree } from './tree';

/** Values of a draft for the comparison of two editors' versions; each right is a line of its own. */
export function factsOf(tree: Tree, language: Language, restaurantName: (id: string) => string) {
  return (draft: Draft): Fact[] => {
    const yes = (on: boolean) => t(on ? 'tri.yes' : 'tri.no');
    const fact = (path: string, label: string, value: unknown, text = String(value ?? '')): Fact => ({
      path,
      label,
      value,
      text,
    });
    const granted = new Set(draft.permissions);
    return [
      fact('email', t('field.email'), draft.email),
      fact('last_name', t('field.last_name'), draft.last_name),
      fact('first_name', t('field.first_name'), draft.first_name),
      fact('tel', t('users.tel'), draft.tel),
      fact('language', t('users.language'), draft.language, t(`language.${draft.language}`)),
      fact(
        'target_type',
        t('users.target_type'),
        draft.target_type,
        t(draft.target_type === 'Partner' ? 'users.whole_partner' : 'users.some_restaurants'),
      ),
      fact(
        'restaurant_ids',
        t('users.restaurants'),
        [...draft.restaurant_ids].sort(),
        draft.restaurant_ids.map(restaurantName).join(', '),
      ),
      fact(
        'surfaces',
        t('users.surfaces'),
        draft.surfaces,
        draft.surfaces.map((s) => t(`users.surface.${s}`)).join(', '),
      ),
      fact('full_target_access', t('users.full'), draft.full_target_access, yes(draft.full_target_access)),
      fact('timezone', t('details.timezone'), draft.timezone),
      fact(
        'billing_details',
        t('details.billing'),
        draft.billing_details,
        draft.billing_details?.company_name ?? '',
      ),
      fact(
        'addresses',
        t('details.addresses'),
        draft.addresses,
        draft.addresses.map(({ postcode, city, street }) => `${postcode} ${city}, ${street}`).join('; '),
      ),
      fact('max_discount_percent', t('users.max_discount'), draft.max_discount_percent),
      ...[...tree.byKey.values()].map((node) =>
        fact(
          `permissions.${node.key}`,
          node.permission[`name_${language}`],
          granted.has(node.key),
          yes(granted.has(node.key)),
        ),
      ),
    ];
  };
}
