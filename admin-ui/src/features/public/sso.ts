import type { Me, SsoRedirect } from '../../generated/model';
import { request } from '../../lib/http';
import { session } from '../../lib/session';
import { enter, preload } from './enter';
import { PUBLIC, safeReturn } from './pages';
import { notice, type PublicContext, reasonOf, turnInto, wayOn } from './parts';

/** The wanted page, kept over the way to the provider and back. */
const RETURN = 'pult.sso.to';

/**
 * Goes to the provider of an e-mail address, or of an invitation; false when there is none. Whether an
 * account exists is not told: the answer depends on the address's domain alone.
 */
export async function toProvider(
  by: { email: string } | { invitation: string },
  to: string,
): Promise<boolean> {
  const { data } = await request<SsoRedirect>('/admins/sso', { method: 'POST', body: by, quiet401: true });
  if (!data.redirect_url) return false;
  sessionStorage.setItem(RETURN, to);
  location.assign(data.redirect_url);
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
  request<Me>('/admins/sso', { method: 'PUT', body: { code, state }, quiet401: true }).then(
    ({ data }) => {
      const to = safeReturn(sessionStorage.getItem(RETURN));
      sessionStorage.removeItem(RETURN);
      session.set(data);
      return enter(root, to);
    },
    (error) => turnInto(place, notice(say('sso.title'), reasonOf(say, error), 'pub-problem', toLogin())),
  );
  return place;
}
