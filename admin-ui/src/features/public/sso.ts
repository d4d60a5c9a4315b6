import { ssoBegin, ssoFinish } from '../../generated/client/session/session';
import { session } from '../../lib/session';
import { enter, preload } from './enter';
import { PUBLIC, safeReturn } from './pages';
import { notice, type PublicContext, reasonOf, turnInto, wayOn } from './parts';

/** The wanted page, kept over the way to the provider and back. */
const RETURN_KEY = 'pult.sso.to';

/**
 * Goes to the provider of an e-mail address, or of an invitation; false when there is none. Whether an
 * account exists is not told: the answer depends on the address's domain alone.
 */
export async function toProvider(
  by: { email: string } | { invitation: string },
  to: string,
): Promise<boolean> {
  const { redirect_url } = await ssoBegin(by, { quiet401: true });
  if (!redirect_url) return false;
  sessionStorage.setItem(RETURN_KEY, to);
  location.assign(redirect_url);
  return true;
}

/** Where the sign-in provider sends the visitor back: its code is exchanged for a session. */
export function ssoPage(context: PublicContext): HTMLElement {
  const { say, root, language } = context;
  const query = new URLSearchParams(location.search);
  const [code, state] = [query.get('code'), query.get('state')];
  // The code must not stay in the address bar or its history.
  history.replaceState(null, '', location.pathname);
  const toLogin = () => wayOn(PUBLIC.login[language], say('password.to_login'));
  if (!code || !state) return notice(say('sso.title'), say('sso.refused'), 'pub-problem', toLogin());
  const place = notice(say('sso.title'), say('sso.wait'), 'pub-lead');
  preload();
  ssoFinish({ code, state }, { quiet401: true }).then(
    (me) => {
      const to = safeReturn(sessionStorage.getItem(RETURN_KEY));
      sessionStorage.removeItem(RETURN_KEY);
      session.set(me);
      return enter(root, to);
    },
    (error) => turnInto(place, notice(say('sso.title'), reasonOf(say, error), 'pub-problem', toLogin())),
  );
  return place;
}
