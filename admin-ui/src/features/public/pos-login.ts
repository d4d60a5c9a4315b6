import { meGet } from '../../generated/client/session/session';
import { session } from '../../lib/session';
import { enter } from './enter';
import { PUBLIC } from './pages';
import { notice, type PublicContext, reasonOf, turnInto, wayOn } from './parts';

/** `/pos-login?token=`: a one-time ticket becomes a session, then the main page; without one, sign-in. */
export function posLoginPage(context: PublicContext): HTMLElement {
  const { say, root, language } = context;
  const token = new URLSearchParams(location.search).get('token');
  history.replaceState(null, '', location.pathname);
  const place = notice(say('pos.title'), say('sso.wait'), 'pub-lead');
  if (!token) {
    location.replace(PUBLIC.login[language]);
    return place;
  }
  meGet({ ticket: token }, { quiet401: true }).then(
    (me) => {
      session.set(me);
      return enter(root, '/');
    },
    (error) =>
      turnInto(
        place,
        notice(
          say('pos.title'),
          reasonOf(say, error),
          'pub-problem',
          wayOn(PUBLIC.login[language], say('password.to_login')),
        ),
      ),
  );
  return place;
}
