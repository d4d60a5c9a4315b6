import { loginAddress } from '../features/public/pages';
import { suspendGuards } from '../lib/form/unsaved';
import { ApiError } from '../lib/http';
import { session } from '../lib/session';

/** Error codes by which the service says that an account can open nothing. */
const NO_ACCESS_CODES = ['NO_ADMIN_ACCESS', 'RESTAURANT_ARCHIVED'];

/** Signs out whom the service lets in nowhere any more; the sign-in page says why. False: it is not that. */
export async function signedOutBy(error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError) || !NO_ACCESS_CODES.includes(error.code)) return false;
  suspendGuards();
  await session.signOut();
  location.replace(`${loginAddress('/')}?reason=${error.code}`);
  return true;
}

/** Reads the account again: somebody has changed what it may do. False: it was signed out. */
export async function readAccount(): Promise<boolean> {
  try {
    await session.load();
  } catch (error) {
    // Without an answer the known account stays; later calls fail by themselves.
    return !(await signedOutBy(error));
  }
  return true;
}
