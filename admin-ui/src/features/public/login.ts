import { ApiError } from '../../lib/http';
import { session } from '../../lib/session';
import { h } from './dom';
import { safeReturn } from './pages';
import { field, type PublicContext } from './show';
import { errorKey } from './texts';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** The application is fetched while the user types. */
let application: Promise<typeof import('../../app/start')> | undefined;
const preload = () => (application ??= import('../../app/start'));

/** E-mail and password; on success the application starts in place, at the address the visitor wanted. */
export function loginForm(context: PublicContext): HTMLElement {
  const { say, root } = context;
  const to = safeReturn(new URLSearchParams(location.search).get('to'));
  const email = field(context, { name: 'email', label: say('login.email'), type: 'email', autocomplete: 'username' });
  const password = field(context, { name: 'password', label: say('login.password'), type: 'password', autocomplete: 'current-password' });
  const problem = h('div', { class: 'pub-problem', role: 'alert' });
  const button = h('button', { type: 'submit', class: 'pub-submit' }, say('login.submit'));
  const reason = new URLSearchParams(location.search).get('reason');
  if (reason) problem.textContent = say(errorKey(reason));

  const submit = async (event: Event) => {
    event.preventDefault();
    problem.textContent = '';
    const address = email.input.value.trim();
    email.fail(address === '' ? say('login.email_missing') : EMAIL.test(address) ? '' : say('login.email_format'));
    password.fail(password.input.value === '' ? say('login.password_missing') : '');
    const wrong = form.querySelector<HTMLElement>('[aria-invalid=true]');
    if (wrong) return wrong.focus();
    button.disabled = true;
    button.textContent = say('login.wait');
    try {
      await session.signIn(address, password.input.value);
      const app = await preload();
      history.replaceState(null, '', to);
      root.replaceChildren();
      await app.start(root);
    } catch (error) {
      const failure = error instanceof ApiError ? error : undefined;
      problem.textContent = say(errorKey(failure?.code ?? 'UNKNOWN_ERROR')).replace('{seconds}', String(failure?.retryAfter ?? 60));
      button.disabled = false;
      button.textContent = say('login.submit');
      if (failure?.status === 401) {
        password.input.value = '';
        password.input.focus();
      }
    }
  };

  const form = h('form', { novalidate: true, onsubmit: submit, onfocusin: () => void preload() },
    h('h1', {}, say('login.title')),
    to !== '/' && h('p', { class: 'pub-lead' }, say('login.again')),
    email.wrap, password.wrap, problem, button,
  );
  // Somebody who is signed in already is sent onward.
  if (session.mayBeSignedIn()) void session.load().then(async (me) => {
    if (!me || !form.isConnected) return;
    const app = await preload();
    history.replaceState(null, '', to);
    root.replaceChildren();
    await app.start(root);
  }, () => undefined);
  return form;
}
