import { readdirSync, readFileSync } from 'node:fs';
import { slugify } from '../src/lib/slug.ts';

export interface Screen {
  key: string;
  slug: string;
  title: { hu: string; en: string };
  /** Cannot be opened without something behind the slug. */
  needsPath: boolean;
  /** Stands outside every restaurant, for super admins. */
  platform: boolean;
  /** Asks for more than being signed in. */
  rights: boolean;
}

const dir = new URL('../src/features/', import.meta.url);

/**
 * The screens as their feature files describe them, so that a new folder is tested without being named here.
 */
export const screens: Screen[] = readdirSync(dir).flatMap((folder) => {
  let source: string;
  try {
    source = readFileSync(new URL(`${folder}/feature.ts`, dir), 'utf8');
  } catch {
    return [];
  }
  const key = /key: '([^']+)'/.exec(source)?.[1];
  const [, hu, en] = /title: \{ hu: '([^']+)', en: '([^']+)'/.exec(source) ?? [];
  if (!key || !hu || !en) throw new Error(`cannot read ${folder}/feature.ts`);
  const permissions = /permission: \[([^\]]*)\]/.exec(source)?.[1] ?? '';
  const rights = permissions !== '' && !/admin_login|no_perm_required/.test(permissions);
  return [
    {
      key,
      slug: slugify(hu),
      title: { hu, en },
      needsPath: /needsPath: true/.test(source),
      platform: /scope: 'platform'/.test(source),
      rights,
    },
  ];
});

const find = (key: string): Screen => {
  const screen = screens.find((s) => s.key === key);
  if (!screen) throw new Error(`no screen ${key}`);
  return screen;
};

export const slugFor = (key: string): string => find(key).slug;

/** Address of a screen: in the restaurant, or on the platform. */
export const pathOf = (key: string, restaurant: string): string =>
  `${find(key).platform ? '/platform' : `/r/${restaurant}`}/${find(key).slug}`;
