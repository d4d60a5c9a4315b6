import { loginAddress } from '../features/public/pages';
import { session } from '../lib/session';

/** Ends the session and the page with it: a full load leaves nothing of this person in memory. */
export async function signOut(): Promise<void> {
  await session.signOut();
  location.assign(loginAddress('/'));
}
