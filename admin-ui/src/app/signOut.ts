import { PUBLIC } from '../features/public/pages';
import { languageCookie } from '../lib/language';
import { session } from '../lib/session';

/** Address of the sign-in page that returns here afterwards. */
export function loginAddress(from: string): string {
  const page = PUBLIC.login[languageCookie.read() ?? 'hu'];
  return from === '/' ? page : `${page}?to=${encodeURIComponent(from)}`;
}

/** Ends the session and the page with it: a full load leaves nothing of this person in memory. */
export async function signOut(): Promise<void> {
  await session.signOut();
  location.assign(loginAddress('/'));
}
