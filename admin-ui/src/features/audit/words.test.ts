import { describe, expect, it } from 'vitest';
import { ArchiveReason, OrderStatus, type Permission, Surface } from '../../generated/model';
import { resources } from '../../generated/resources.gen';
import type { Fields } from '../../lib/fields/kinds';
import { splitAction } from './model';
import { fieldKeys, foldersOf, rightNames } from './words';

type Texts = Record<string, string>;
const texts = import.meta.glob<{ default: Texts }>('../*/{hu,en}.ts', { eager: true });
const common = import.meta.glob<{ default: Texts }>('../../lib/texts/{hu,en}.ts', { eager: true });
const fields = import.meta.glob<{ fields: Fields }>('../../generated/fields/*.gen.ts', { eager: true });

/** Everything that is there when a line of the action is shown. */
const loaded = (action: string, language: string): Texts =>
  Object.assign(
    {},
    common[`../../lib/texts/${language}.ts`]!.default,
    ...['audit', ...foldersOf(action)].map(
      (folder) => texts[folder === 'audit' ? `./${language}.ts` : `../${folder}/${language}.ts`]?.default,
    ),
  );

/**
 * Calls that leave no line: of public pages and devices, of what only the caller sees, and those that only
 * look.
 */
const SILENT =
  /^(me|my_\w+|push_devices|invitations|sessions|sso|tickets|role_templates|public_\w+|start_up|help_centre|second_factor|platform_exports|orders_quote|menu|subproducts|terminals)$/;
/** Sent, but never written into a line. */
const UNSAID = new Set(['password', 'password_again', 'permission_ids', 'client_secret']);
/** Nor are the fields of what is only noted to have happened, with facts of its own. */
const FACTS =
  /^(orders|exports|export_requests|menu_imports|menu_mends|ntak_changes|payments|refunds|drawer_closes|drawer_movements)_create$/;
/** A movement is a line of its customer. */
const LEDGER = /^shadow_customer_(balance|points)$/;
/** Levels of the whole company, the platform's return of settings, and exports of a filter write the same lines. */
const plain = (resource: string) =>
  resource
    .replace(/^partner_(admins|api_keys)$/, '$1')
    .replace(/^order_exports$/, 'export_requests')
    .replace(/^restaurant_switches_(?=history$)/, 'settings_')
    .replace(LEDGER, 'shadow_customers_$1');
const READS = new Set([
  'list',
  'get',
  'pick',
  'usage',
  'fresh',
  'waiting',
  'settings',
  'stores',
  'terminals',
  'begin',
  'reach',
  'preview',
  'template',
  'download',
  'quote',
  'validate',
  'archive_list',
  'public',
  'follow',
  'ready',
  'later',
  'totals',
  'search',
  'running',
  'revenue',
  'sum',
  'phone',
  'try',
  'check',
  'names',
  'of_region',
  'orders_map',
  'depots',
  'generate',
]);

const ACTIONS = [
  ...new Set([
    ...Object.entries(resources)
      .filter(([name]) => !SILENT.test(name))
      .flatMap(([name, { ops }]) =>
        Object.keys(ops)
          .filter((op) => !READS.has(op))
          .map((op) => {
            if (name.startsWith('restaurants_') && op === 'update') return name;
            return LEDGER.test(name) ? plain(name) : `${plain(name)}_${op}`;
          }),
      ),
    // Written by no call of their own.
    'devices_pair',
    'exports_download',
    'admins_leave',
    'permission_refused',
    'sessions_sign_in',
    'sessions_sign_in_failed',
    'sessions_reset_password',
    'second_factor_reset',
    'support_begin',
    'support_end',
    'support_step',
  ]),
];

describe('the words of the log', () => {
  it.each(['hu', 'en'])('every action has them, %s', (language) => {
    const named = (action: string) => {
      const all = loaded(action, language);
      const { resource, verb } = splitAction(action);
      return (
        `audit.action.${action}` in all ||
        (`audit.resource.${resource}` in all && `audit.verb.${verb}` in all)
      );
    };
    expect(ACTIONS.filter((action) => !named(action))).toEqual([]);
  });

  it('every field that is written has a name', () => {
    const nameless = ACTIONS.filter(
      (action) =>
        /_(create|update|general|delivery|system|points|close)$/.test(action) && !FACTS.test(action),
    ).flatMap((action) => {
      const { resource } = splitAction(action);
      const own =
        fields[`../../generated/fields/${action}.gen.ts`] ??
        fields[`../../generated/fields/${resource}.gen.ts`];
      const all = loaded(action, 'hu');
      return Object.entries(own?.fields ?? {})
        .filter(
          ([name, info]) =>
            !('readonly' in info && info.readonly) &&
            !UNSAID.has(name) &&
            !fieldKeys(name, action).some((key) => key in all),
        )
        .map(([name]) => `${action}: ${name}`);
    });
    expect(nameless).toEqual([]);
  });

  it.each(
    ['hu', 'en'].flatMap((language) => [
      { language, action: 'orders_archive', field: 'reason', values: ArchiveReason },
      { language, action: 'orders_prepared', field: 'status', values: OrderStatus },
      { language, action: 'sessions_sign_in', field: 'surface', values: Surface },
    ]),
  )('values of $field are shown as text, $language', ({ language, action, field, values }) => {
    const all = loaded(action, language);
    expect(Object.values(values).filter((one) => !(`audit.field.${field}.${one}` in all))).toEqual([]);
  });

  it('rights have the names of their tree, with the parent where two names are equal', () => {
    const one = (id: string, key: string, hu: string, parent_id?: string): Permission => ({
      id,
      key,
      lang: 'hu',
      name: hu,
      description: '',
      name_hu: hu,
      name_en: key,
      description_hu: '',
      description_en: '',
      perm_type: 'admin' as Permission['perm_type'],
      parent_id: parent_id ?? null,
    });
    const names = rightNames(
      [
        one('1', 'order', 'Rendelések'),
        one('2', 'order_edit', 'Szerkesztés', '1'),
        one('3', 'menu', 'Étlap'),
        one('4', 'menu_edit', 'Szerkesztés', '3'),
      ],
      'hu',
    );
    expect([...names]).toEqual([
      ['order', 'Rendelések'],
      ['order_edit', 'Rendelések › Szerkesztés'],
      ['menu', 'Étlap'],
      ['menu_edit', 'Étlap › Szerkesztés'],
    ]);
  });
});
