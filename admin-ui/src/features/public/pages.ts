/** Pages outside the application, by their slugs in both languages. */
export const PUBLIC = {
  login: { hu: '/bejelentkezes', en: '/login' },
  password: { hu: '/uj-jelszo', en: '/new-password' },
} as const;
export type PublicPage = keyof typeof PUBLIC;

export const publicPageAt = (pathname: string): PublicPage | undefined =>
  (Object.keys(PUBLIC) as PublicPage[]).find((page) => Object.values(PUBLIC[page]).includes(pathname.replace(/\/$/, '') as never));

/** Only an own path is followed after sign-in. */
export const safeReturn = (to: string | null): string => (to && /^\/(?![/\\])/.test(to) && !publicPageAt(to.split('?')[0]!) ? to : '/');
