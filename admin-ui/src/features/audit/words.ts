import i18next from 'i18next';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { permissionsList } from '../../generated/client/access/access';
import { paymentMethodsList } from '../../generated/client/restaurants/restaurants';
import type { Permission, RecordName } from '../../generated/model';
import { type Language, NONE, useFormat } from '../../lib/format';
import { features } from '../../lib/features';
import { useStanding } from '../../lib/hooks';
import { hasFeatureTexts, loadFeatureTexts } from '../../lib/i18n';
import { useMe } from '../../lib/me';
import { useRead } from '../../lib/query';
import { useRestaurants } from '../../lib/restaurants';
import { here, useRestaurantIfAny } from '../../lib/target';
import { splitAction } from './model';

/**
 * Parts of a restaurant's settings, each with a screen and labels of its own: a new restaurant has the fields
 * of all.
 */
const SETTINGS = ['restaurants_general', 'restaurants_delivery', 'restaurants_system', 'restaurants_points'];
/** Screens that use another screen's names of fields, or labels that belong to no resource. */
const BORROWED_FOLDERS: Record<string, string> = {
  options: 'categories-and-products',
  option_groups: 'categories-and-products',
  menu_imports: 'menu-import',
  payment_methods: 'payment-methods-web',
  teya: 'terminals',
  export_requests: 'order-export',
  shadow_customer_addresses: 'customers',
  product_category_upsells: 'category-upsell',
  sellable_quantities: 'sellable-quantity',
  ntak_changes: 'ntak-menu',
  menu_mends: 'menu-health',
};

/**
 * Under what a field of an action may be called: the action itself for settings (`restaurants_general`), else
 * the resource.
 */
function namesOf(action: string): string[] {
  const { resource } = splitAction(action);
  return [
    action,
    resource,
    ...(resource === 'restaurants' ? SETTINGS : []),
    ...(resource === 'api_key_limits' ? ['api_keys'] : []),
    ...(resource === 'shadow_customer_addresses' ? ['shadow_customers.addresses'] : []),
    ...(resource === 'restaurant_features' ? ['restaurant_switches'] : []),
  ].filter(Boolean);
}

/** Folders of the screens of an action's records. */
export function foldersOf(action: string): string[] {
  const names = namesOf(action);
  return [
    ...features
      .filter((feature) => feature.resources?.some((resource) => names.includes(resource)))
      .map((feature) => feature.folder),
    ...names.flatMap((name) => BORROWED_FOLDERS[name] ?? []),
  ];
}

/**
 * Keys under which a field may have its text, the nearest first. `x_sec_lang` is `x` in the second language.
 */
export const fieldKeys = (field: string, action: string): string[] => [
  ...namesOf(action).map((name) => `${name}.${field}`),
  `audit.field.${field}`,
  `field.${field}`,
];

/**
 * Loads the texts of the screens whose records are in the log, so fields have the same names; after the lines.
 * False until they are there, or cannot come.
 */
export function useFieldTexts(actions: readonly string[]): boolean {
  const folders = [...new Set(actions.flatMap(foldersOf))].toSorted();
  const wanted = folders.join();
  const { i18n } = useTranslation();
  const standing = useStanding();
  const [tried, setTried] = useState<string>();
  const trying = `${i18n.language} ${wanted}`;
  useEffect(() => {
    if (!standing) return undefined;
    let left = false;
    const loading = wanted
      .split(',')
      .filter(Boolean)
      .map((folder) => loadFeatureTexts(folder));
    void Promise.allSettled(loading).then(() => left || setTried(trying));
    return () => {
      left = true;
    };
  }, [wanted, trying, standing]);
  return tried === trying || folders.every(hasFeatureTexts);
}

const firstText = (keys: readonly string[]): string | undefined => keys.find((key) => i18next.exists(key));

/** Fields that say restaurants by their ids. */
const PLACES = /^restaurant_ids?$/;
/** The service names no customers in the log: who may read it need not know them. */
const CUSTOMER = 'shadow_customer_id';
const RIGHTS = 'permission_keys';
/** Payment methods; `enabled` in lines from before there were two views. */
const METHODS = ['enabled', 'enabled_web', 'enabled_pos'];
const SECOND = '_sec_lang';
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What a key of the tree of rights is called; with what stands above it where two are called alike. */
export function rightNames(
  permissions: readonly Permission[],
  language: Language,
): ReadonlyMap<string, string> {
  const byId = new Map(permissions.map((one) => [one.id, one]));
  const times = new Map<string, number>();
  const nameOf = (one: Permission) => one[`name_${language}`];
  for (const one of permissions) times.set(nameOf(one), (times.get(nameOf(one)) ?? 0) + 1);
  return new Map(
    permissions.map((one) => {
      const above = one.parent_id ? byId.get(one.parent_id) : undefined;
      return [
        one.key,
        above && times.get(nameOf(one))! > 1 ? `${nameOf(above)} › ${nameOf(one)}` : nameOf(one),
      ];
    }),
  );
}

function useRights(wanted: boolean): ReadonlyMap<string, string> {
  const { language } = useFormat();
  const { data } = useRead('permissionsList', () => permissionsList(), {
    enabled: wanted,
    staleTime: 600_000,
  });
  return useMemo(() => rightNames(data ?? [], language), [data, language]);
}

/** Payment methods by their keys, as the restaurant of the page calls them. */
function useMethods(wanted: boolean): ReadonlyMap<string, string> {
  const { language } = useFormat();
  const inside = useRestaurantIfAny() !== undefined;
  const { data } = useRead('paymentMethodsList', () => paymentMethodsList(...here()), {
    enabled: wanted && inside,
    staleTime: 600_000,
  });
  return useMemo(
    () =>
      new Map(data?.map((method) => [method.payment_key, language === 'hu' ? method.name : method.name_en])),
    [data, language],
  );
}

/** Names shown of a long list; of the rest only the number. */
const MOST_NAMES = 12;

/** The result of `useWords`. */
export type Words = ReturnType<typeof useWords>;

/**
 * Texts of the log: actions, names of fields, values. `fields`: those whose values are to be shown; `records`:
 * what records are called that values name by their ids.
 */
export function useWords(fields: readonly string[], records: readonly RecordName[]) {
  const { t } = useTranslation();
  const format = useFormat();
  const standing = useStanding();
  // Super admins may open thousands of restaurants, too many to read for their names.
  const { rows: restaurants } = useRestaurants(
    '',
    !useMe().super_admin && standing && fields.some((name) => PLACES.test(name)),
  );
  const rights = useRights(fields.includes(RIGHTS));
  const methods = useMethods(METHODS.some((name) => fields.includes(name)));
  const names = useMemo(
    () => new Map(records.map((one) => [one.id, format.language === 'hu' ? one.name : one.name_en])),
    [records, format.language],
  );

  const action = (name: string): string => {
    if (i18next.exists(`audit.action.${name}`)) return t(`audit.action.${name}`);
    const { resource, verb } = splitAction(name);
    if (!resource || !i18next.exists(`audit.verb.${verb}`)) return name;
    const what = i18next.exists(`audit.resource.${resource}`)
      ? t(`audit.resource.${resource}`)
      : resource.replaceAll('_', ' ');
    return t('audit.done', { what, verb: t(`audit.verb.${verb}`) });
  };
  const field = (name: string, of: string): string => {
    if (splitAction(of).verb === 'rank') return t('audit.field.ranking');
    const key = firstText(fieldKeys(name, of));
    if (key) return t(key);
    return name.endsWith(SECOND)
      ? t('audit.second_language', { field: field(name.slice(0, -SECOND.length), of) })
      : name.replaceAll('_', ' ');
  };
  const value = (raw: unknown, name: string, of: string): string => {
    if (raw === null || raw === undefined || raw === '') return NONE;
    if (typeof raw === 'boolean') return t(raw ? 'tri.yes' : 'tri.no');
    if (typeof raw === 'number') return format.number(raw);
    if (typeof raw === 'string') {
      if (name === RIGHTS) return rights.get(raw) ?? raw;
      if (METHODS.includes(name)) return methods.get(raw) ?? raw;
      if (ID.test(raw))
        return (
          names.get(raw) ??
          restaurants?.find((restaurant) => restaurant.id === raw)?.name ??
          (name === CUSTOMER ? t('audit.customer') : t('audit.nameless', { id: raw.slice(-6) }))
        );
      const key = firstText(fieldKeys(name, of).map((one) => `${one}.${raw}`));
      if (key) return t(key);
      if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(raw)) return format.dateTime(raw);
      return /^\d{4}-\d\d-\d\d$/.test(raw) ? format.day(raw) : raw;
    }
    if (Array.isArray(raw)) {
      if (raw.length === 0) return NONE;
      // Of rows that are gone the number says more than their ids.
      if (!PLACES.test(name) && raw.every((one) => typeof one === 'string' && ID.test(one))) {
        const known = raw.flatMap((id) => names.get(id) ?? []);
        const shown = known.slice(0, MOST_NAMES);
        const rest = raw.length - shown.length;
        if (shown.length === 0) return t('audit.rows', { count: rest });
        return rest ? t('audit.and_rows', { names: shown.join(', '), count: rest }) : shown.join(', ');
      }
      return raw
        .map((one) => value(one, name, of))
        .join(raw.some((one) => typeof one === 'object') ? '; ' : ', ');
    }
    // A span of a day.
    const { day, from, till, open_at = from, close_at = till } = raw as Record<string, unknown>;
    if (typeof day === 'string') return `${t(`day.${day}`)} ${String(open_at)}–${String(close_at)}`;
    return Object.entries(raw)
      .filter(([, one]) => one !== null && one !== '')
      .map(([part, one]) => `${field(part, of)}: ${value(one, part, of)}`)
      .join(', ');
  };
  return { action, field, value };
}
