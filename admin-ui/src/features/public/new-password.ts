import { sessionsPasswordLink, sessionsResetPassword } from '../../generated/client/session/session';
import type { PasswordLink } from '../../generated/model';
import { ApiError } from '../../lib/http';
import { session } from '../../lib/session';
import { h } from './dom';
import { enter, preload } from './enter';
import { PUBLIC } from './pages';
import {
  changedMeanwhile,
  dropToken,
  leaving,
  newPassword,
  notice,
  type PublicContext,
  reasonOf,
  sheet,
  takeToken,
  turnInto,
  wayOn,
} from './parts';

/** Sets a password with the one-time token of a mail's link. Who had none of their own is in then. */
export function newPasswordForm(context: PublicContext): HTMLElement {
  const { say, language, root } = context;
  const token = takeToken('password');
  const toLogin = () => wayOn(PUBLIC.login[language], say('password.to_login'));
  if (!token) return notice(say('password.title'), say('password.no_token'), 'pub-problem', toLogin());
  const place = h(
    'div',
    {},
    h('h1', {}, say('password.title')),
    h('p', { class: 'pub-lead', role: 'status' }, say('invitation.loading')),
  );

  const draw = (link: PasswordLink, message = '') => {
    const inputs = newPassword(context, link.password_min_length);
    const elsewhere = leaving(context, link.partners);
    if (!link.has_password) void preload();
    const { form, problem } = sheet(context, {
      title: say('password.title'),
      lead: say('password.lead').replace('{email}', link.email),
      inputs: [...inputs.wraps, ...elsewhere.wraps],
      submit: say('password.submit'),
      wait: say('password.wait'),
      check: inputs.check,
      send: async () => {
        const body = { ...inputs.body(), ...elsewhere.body() };
        const me = await sessionsResetPassword(token, body, { quiet401: true });
        dropToken('password');
        if (me) {
          session.set(me);
          return enter(root, '/');
        }
        turnInto(form, notice(say('password.title'), say('password.done'), 'pub-done', toLogin()));
      },
      refused: (error) => {
        if (error instanceof ApiError && error.code === 'USER_INVALID_TOKEN') dropToken('password');
        if (changedMeanwhile(error)) load(reasonOf(say, error));
      },
    });
    place.replaceChildren(form);
    problem.textContent = message;
  };
  const load = (message?: string) =>
    void sessionsPasswordLink(token, { quiet401: true }).then(
      (link) => draw(link, message),
      (error) => {
        if (error instanceof ApiError && error.code === 'USER_INVALID_TOKEN') dropToken('password');
        place.replaceChildren(notice(say('password.title'), reasonOf(say, error), 'pub-problem', toLogin()));
      },
    );
  load();
  return place;
}
