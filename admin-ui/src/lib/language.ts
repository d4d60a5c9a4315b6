import type { Language } from './format';

const NAME = 'pult_lang';
/** About ten years. */
const MAX_AGE_S = 315_360_000;

/** The language chosen on this device. Hungarian unless somebody chose English. */
export const languageCookie = {
  read(): Language | undefined {
    const value = new RegExp(`(?:^|; )${NAME}=(hu|en)`).exec(document.cookie)?.[1];
    return value as Language | undefined;
  },
  write(language: Language): void {
    const secure = location.protocol === 'https:' ? '; Secure' : '';
    document.cookie = `${NAME}=${language}; Path=/; Max-Age=${MAX_AGE_S}; SameSite=Lax${secure}`;
  },
};
