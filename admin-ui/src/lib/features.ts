import { type Feature, type Group, GROUPS } from './feature';
import type { Language } from './format';
import { slugify } from './slug';

export { type Feature, type Group, GROUPS };

const files = import.meta.glob<{ default: Feature }>('../features/*/feature.ts', { eager: true });

/** Folder names are keys with dashes; texts are loaded by folder. */
export const features: readonly (Feature & { folder: string })[] = Object.entries(files)
  .map(([file, module]) => ({ ...module.default, folder: file.split('/').at(-2)! }))
  .sort((a, b) => GROUPS.indexOf(a.group ?? 'other') - GROUPS.indexOf(b.group ?? 'other') || a.order - b.order);

export type RegisteredFeature = (typeof features)[number];

export const slugOf = (feature: Feature, language: Language): string => slugify(feature.title[language]);

/** A slug of either language finds its screen, so a link pasted by somebody with the other language works. */
export const featureBySlug = (slug: string): RegisteredFeature | undefined =>
  features.find((f) => slugOf(f, 'hu') === slug || slugOf(f, 'en') === slug);

export const featureByKey = (key: string): RegisteredFeature | undefined => features.find((f) => f.key === key);

/** Sub-addresses with a name of their own, in both languages. */
export const WORDS = {
  new: { hu: 'uj', en: 'new' },
  noAccess: { hu: 'nem-engedelyezett', en: 'no-access' },
} as const;

export const isWord = (word: keyof typeof WORDS, segment: string | undefined): boolean =>
  segment === WORDS[word].hu || segment === WORDS[word].en;

/** The same page with the slugs of another language; other addresses stay as they are. */
export function translatePath(pathname: string, language: Language): string {
  const [, r, restaurant, slug, ...rest] = pathname.split('/');
  if (r !== 'r' || !slug) return pathname;
  const feature = featureBySlug(slug);
  const translated = feature ? slugOf(feature, language) : isWord('noAccess', slug) ? WORDS.noAccess[language] : slug;
  return ['', 'r', restaurant, translated, ...rest.map((s) => (isWord('new', s) ? WORDS.new[language] : s))].join('/');
}

/** Whether two addresses are the same page, perhaps in two languages. */
export const samePage = (a: string, b: string): boolean => translatePath(a, 'hu') === translatePath(b, 'hu');
