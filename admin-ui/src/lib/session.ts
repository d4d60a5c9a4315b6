import { meGet, sessionsSignIn, sessionsSignOut } from '../generated/client/session/session';
import type { Me } from '../generated/model';
import { Store } from './events';
import { ApiError } from './http';

/** The signed-in person. `undefined`: not asked yet; `null`: nobody. */
const me = new Store<Me | null | undefined>(undefined);

/** Not a secret, only a hint that the cookie may be there, so that the sign-in page need not ask in vain. */
const HINT = 'pult.signed-in';
const remember = (value: Me | null) =>
  value ? localStorage.setItem(HINT, '1') : localStorage.removeItem(HINT);
let latest: Me | undefined;
me.subscribe(() => {
  latest = me.get() ?? latest;
  remember(me.get() ?? null);
});

export const session = {
  get: me.get,
  /** The person who was signed in last on this page, also after the session's end. */
  latest: () => latest,
  mayBeSignedIn: () => localStorage.getItem(HINT) !== null,
  subscribe: me.subscribe,

  /** Asks the service who we are. Only a 401 means nobody; anything else is thrown. */
  async load(): Promise<Me | null> {
    try {
      me.set(await meGet(undefined, { quiet401: true }));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      me.set(null);
    }
    return me.get() ?? null;
  },

  set: me.set,

  /**
   * @param code of the second factor, or a recovery code. @throws ApiError SECOND_FACTOR_REQUIRED when it is
   * missing.
   */
  async signIn(email: string, password: string, code?: string): Promise<Me> {
    const admin = { email, password, surface: 'admin' as const, ...(code === undefined ? {} : { code }) };
    const answer = await sessionsSignIn({ admin }, { quiet401: true });
    me.set(answer);
    return answer;
  },

  /**
   * Ends the session. What this person kept on the device goes with it; a failed call does not keep anyone
   * in.
   */
  async signOut(): Promise<void> {
    await sessionsSignOut({ quiet401: true }).catch(() => undefined);
    for (const key of Object.keys(localStorage))
      if (key.startsWith('pult.user.')) localStorage.removeItem(key);
    sessionStorage.clear();
    me.set(null);
  },
};
