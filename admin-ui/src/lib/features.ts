import { type Feature, type Group, GROUPS } from './feature';
import type { Language } from './format';
import { loadFeatureTexts } from './i18n';
import { slugify } from './slug';

export { type Group, GROUPS };

/** Folder names are keys with dashes; texts are loaded by folder. */
export type RegisteredFeature = Feature & { folder: string };

/** All screens in the order of the menu; empty until they are registered. */
export let features: readonly RegisteredFeature[] = [];

/** Takes the screens, by the path of their `feature.ts`. */
export function registerFeatures(files: Record<string, { default: Feature }>): void {
  features = Object.entries(files)
    .map(([file, { default: screen }]) => ({
      ...screen,
      folder: file.split('/').at(-2)!,
      load: async () =>
        (
          await Promise.all([screen.load(), ...(screen.texts ?? []).map((texts) => loadFeatureTexts(texts))])
        )[0],
    }))
    .sort(
      (a, b) => GROUPS.indexOf(a.group ?? 'other') - GROUPS.indexOf(b.group ?? 'other') || a.order - b.order,
    );
}

export const slugOf = (feature: Feature, language: Language): string => slugify(feature.title[language]);

/** A slug of either language finds its screen, so a link pasted by somebody with the other language works. */
export const featureBySlug = (slug: string): RegisteredFeature | undefined =>
  features.find((f) => slugOf(f, 'hu') === slug || slugOf(f, 'en') === slug);

export const featureByKey = (key: string): RegisteredFeature | undefined =>
  features.find((f) => f.key === key);

/** Sub-addresses with a name of their own, in both languages. */
export const SUB_ADDRESSES = {
  new: { hu: 'uj', en: 'new' },
  usage: { hu: 'hasznalat', en: 'usage' },
  codes: { hu: 'kodok', en: 'codes' },
  running: { hu: 'most-fut', en: 'running' },
  balances: { hu: 'egyenlegek', en: 'balances' },
  import: { hu: 'import', en: 'import' },
  map: { hu: 'terkep', en: 'map' },
  list: { hu: 'lista', en: 'list' },
  noAccess: { hu: 'nem-engedelyezett', en: 'no-access' },
} as const;

export const isWord = (word: keyof typeof SUB_ADDRESSES, segment: string | undefined): boolean =>
  segment === SUB_ADDRESSES[word].hu || segment === SUB_ADDRESSES[word].en;

/** Address of the place a page stands in, and what follows it: its slug and the rest. */
export function splitPath(
  pathname: string,
): { base: string; slug: string | undefined; rest: string[] } | undefined {
  const parts = pathname.split('/');
  const length = parts[1] === 'r' && parts[2] ? 3 : parts[1] === 'platform' ? 2 : 0;
  return length === 0
    ? undefined
    : { base: parts.slice(0, length).join('/'), slug: parts[length], rest: parts.slice(length + 1) };
}

/** Whether the screen can be shown there; `restaurant` is false outside every restaurant. */
export const isAvailable = (feature: Feature, restaurant: boolean): boolean =>
  feature.scope === 'anywhere' || restaurant === (feature.scope === undefined);

/** The same page with the slugs of another language; other addresses stay as they are. */
export function translatePath(pathname: string, language: Language): string {
  const at = splitPath(pathname);
  if (!at?.slug) return pathname;
  const feature = featureBySlug(at.slug);
  const translated = feature
    ? slugOf(feature, language)
    : isWord('noAccess', at.slug)
      ? SUB_ADDRESSES.noAccess[language]
      : at.slug;
  return [
    at.base,
    translated,
    ...at.rest.map(
      (s) => Object.values(SUB_ADDRESSES).find((w) => w.hu === s || w.en === s)?.[language] ?? s,
    ),
  ].join('/');
}

/** Whether two addresses are the same page, perhaps in two languages. */
export const samePage = (a: string, b: string): boolean => translatePath(a, 'hu') === translatePath(b, 'hu');
