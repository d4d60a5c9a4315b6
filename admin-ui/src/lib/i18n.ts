import i18next from 'i18next';
import type { I18nProvider } from '@refinedev/core';
import type { Locale } from 'antd/es/locale';
import { initReactI18next } from 'react-i18next';
import { Store } from './events';
import type { Language } from './format';
import { languageCookie } from './language';
import type { Texts, TextsFile } from './texts/types';

/** Base texts with antd's own in the same language. */
interface Bundle {
  default: Texts;
  antd: Locale;
}

const bases: Record<Language, () => Promise<Bundle>> = {
  hu: () => import('./texts/hu'),
  en: () => import('./texts/en'),
};

let textsOfFeatures: Record<string, () => Promise<TextsFile>> = {};

/** Takes the screens' files of texts, by path: `./<folder>/<language>.ts`. */
export function registerFeatureTexts(files: typeof textsOfFeatures): void {
  textsOfFeatures = files;
}

/** antd's texts in the current language; ConfigProvider reads it. */
export const antdLocale = new Store<Locale | undefined>(undefined);
const opened = new Set<string>();
const loaded = new Set<string>();

async function loadBase(language: Language): Promise<Locale> {
  const bundle = await bases[language]();
  i18next.addResourceBundle(language, 'translation', bundle.default, true, true);
  return bundle.antd;
}

/**
 * Loads a feature's texts in the current language, together with its code; a later switch loads the other
 * language.
 */
export async function loadFeatureTexts(
  feature: string,
  language = i18next.language as Language,
): Promise<void> {
  opened.add(feature);
  const name = `./${feature}/${language}.ts`;
  if (loaded.has(name) || !textsOfFeatures[name]) return;
  i18next.addResourceBundle(language, 'translation', (await textsOfFeatures[name]()).default, true, true);
  loaded.add(name);
}

/** Whether a feature's texts are there in the current language, or it has none. */
export const hasFeatureTexts = (feature: string): boolean => {
  const name = `./${feature}/${i18next.language}.ts`;
  return loaded.has(name) || !textsOfFeatures[name];
};

/**
 * Changes once the service knows the new language; texts that it chooses (announcements) are then read again.
 */
export const accountLanguage = new Store<Language | undefined>(undefined);

/** Starts with one language; the other is a chunk that is loaded when somebody switches. */
export async function startI18n(language: Language): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: {},
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
    react: { useSuspense: false, bindI18nStore: 'added' },
    saveMissing: true,
    // A key without a text is a fault of ours: the browser tests fail on it.
    missingKeyHandler: (_languages, _namespace, key) => console.error(`no text for ${key}`),
  });
  await setLanguage(language);
}

/**
 * Switches everything that has a language: texts, antd, `lang`, the cookie. (Pickers bring the calendar's.)
 */
export async function setLanguage(language: Language): Promise<void> {
  const [locale] = await Promise.all([
    loadBase(language),
    ...[...opened].map((feature) => loadFeatureTexts(feature, language)),
  ]);
  await i18next.changeLanguage(language);
  antdLocale.set(locale);
  document.documentElement.lang = language;
  languageCookie.write(language);
}

/** The text of the first key that has one. `t` for code outside components. */
export const t = (key: string | string[], values?: Record<string, unknown>): string =>
  i18next.t(key, values ?? {});

export const i18nProvider: I18nProvider = {
  // Refine asks for texts of notifications that we switched off: what we lack is not a fault here.
  translate: (key, options, fallback) =>
    i18next.exists(key)
      ? i18next.t(key, { ...(options as Record<string, unknown>) })
      : typeof fallback === 'string'
        ? fallback
        : key,
  changeLocale: (language) => setLanguage(language === 'en' ? 'en' : 'hu'),
  getLocale: () => i18next.language,
};
