import { ApiError, request } from '../../lib/http';
import { PUBLIC } from './pages';
import { dropToken, newPassword, notice, type PublicContext, sheet, takeToken, turnInto, wayOn } from './parts';

/** Sets a password with the one-time token of a mail's link. */
export function newPasswordForm(context: PublicContext): HTMLElement {
  const { say, language } = context;
  const token = takeToken('password');
  const toLogin = () => wayOn(PUBLIC.login[language], say('password.to_login'));
  if (!token) return notice(say('password.title'), say('password.no_token'), 'pub-problem', toLogin());
  const inputs = newPassword(context);
  const { form } = sheet(context, {
    title: say('password.title'),
    lead: say('password.lead'),
    inputs: inputs.wraps,
    submit: say('password.submit'),
    wait: say('password.wait'),
    check: inputs.check,
    send: async () => {
      await request(`/admins/password-reset/${encodeURIComponent(token)}`, { method: 'PUT', body: inputs.body(), quiet401: true });
      dropToken('password');
      turnInto(form, notice(say('password.title'), say('password.done'), 'pub-done', toLogin()));
    },
    refused: (error) => {
      if (error instanceof ApiError && error.code === 'USER_INVALID_TOKEN') dropToken('password');
    },
  });
  return form;
}
