import { languageCookie } from '../../lib/language';

/** Pages outside the application, by their slugs in both languages. Mails and other systems link to them. */
export const PUBLIC = {
  login: { hu: '/bejelentkezes', en: '/login' },
  forgotten: { hu: '/elfelejtett-jelszo', en: '/forgotten-password' },
  password: { hu: '/uj-jelszo', en: '/new-password' },
  invitation: { hu: '/meghivas', en: '/invitation' },
  unauthorized: { hu: '/nem-engedelyezett', en: '/unauthorized' },
  posLogin: { hu: '/pos-login', en: '/pos-login' },
  sso: { hu: '/sso', en: '/sso' },
} as const;
export type PublicPage = keyof typeof PUBLIC;

export const publicPageAt = (pathname: string): PublicPage | undefined =>
  (Object.keys(PUBLIC) as PublicPage[]).find((page) =>
    Object.values(PUBLIC[page]).includes(pathname.replace(/\/$/, '') as never),
  );

/**
 * The language of an address, where the languages have slugs of their own: a mail's link is in the language
 * of its reader.
 */
export const languageAt = (pathname: string): 'hu' | 'en' | undefined => {
  const page = publicPageAt(pathname);
  if (!page || PUBLIC[page].hu === PUBLIC[page].en) return undefined;
  return pathname.replace(/\/$/, '') === PUBLIC[page].en ? 'en' : 'hu';
};

/** Only an own path is followed after sign-in. */
export const safeReturn = (to: string | null): string =>
  to && /^\/(?![/\\])/.test(to) && !publicPageAt(to.split('?')[0]!) ? to : '/';

/** Address of the sign-in page that returns here afterwards. */
export function loginAddress(from: string): string {
  const page = PUBLIC.login[languageCookie.read() ?? 'hu'];
  return from === '/' ? page : `${page}?to=${encodeURIComponent(from)}`;
}
