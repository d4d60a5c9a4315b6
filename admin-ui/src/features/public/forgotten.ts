import { sessionsForgotPassword } from '../../generated/client/session/session';
import { PUBLIC } from './pages';
import { field, link, notice, type PublicContext, sheet, turnInto, wayOn } from './parts';
import { h } from './dom';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Asks for the mail with a link. The answer is the same whether the address is known or not. */
export function forgottenForm(context: PublicContext): HTMLElement {
  const { say, language } = context;
  const email = field(context, {
    name: 'email',
    label: say('login.email'),
    type: 'email',
    autocomplete: 'username',
  });
  const { form } = sheet(context, {
    title: say('forgotten.title'),
    lead: say('forgotten.lead'),
    inputs: [email.wrap],
    submit: say('forgotten.submit'),
    wait: say('forgotten.wait'),
    check: () =>
      email.fail(
        EMAIL.test(email.input.value.trim())
          ? ''
          : say(email.input.value.trim() === '' ? 'login.email_missing' : 'login.email_format'),
      ),
    send: async () => {
      await sessionsForgotPassword({ email: email.input.value.trim() }, { quiet401: true });
      turnInto(
        form,
        notice(
          say('forgotten.title'),
          say('forgotten.done'),
          'pub-done',
          wayOn(PUBLIC.login[language], say('password.to_login')),
        ),
      );
    },
    below: [h('div', { class: 'pub-below' }, link(PUBLIC.login[language], say('forgotten.back')))],
  });
  return form;
}
