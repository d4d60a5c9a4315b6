import { ApiError, request } from '../../lib/http';
import { h } from './dom';
import { PUBLIC } from './pages';
import { field, type PublicContext } from './show';
import { errorKey } from './texts';

/** OWASP and NIST: length counts, not kinds of characters. The service looks at known passwords too. */
const MIN_LENGTH = 10;

/** Sets a password with the one-time token of a link; the token leaves the address bar at once. */
export function newPasswordForm({ say, language, ...rest }: PublicContext): HTMLElement {
  const context = { say, language, ...rest };
  const fromUrl = new URLSearchParams(location.search).get('token');
  if (fromUrl) {
    sessionStorage.setItem('pult.reset', fromUrl);
    history.replaceState(null, '', location.pathname);
  }
  const token = sessionStorage.getItem('pult.reset');
  const toLogin = () => h('a', { class: 'pub-submit', href: PUBLIC.login[language] }, say('password.to_login'));
  if (!token) return h('div', {}, h('h1', {}, say('password.title')), h('p', { class: 'pub-problem', role: 'alert' }, say('password.no_token')), toLogin());

  const first = field(context, { name: 'password', label: say('password.new'), type: 'password', autocomplete: 'new-password' });
  const again = field(context, { name: 'password_again', label: say('password.again'), type: 'password', autocomplete: 'new-password' });
  const problem = h('div', { class: 'pub-problem', role: 'alert' });
  const button = h('button', { type: 'submit', class: 'pub-submit' }, say('password.submit'));

  const submit = async (event: Event) => {
    event.preventDefault();
    problem.textContent = '';
    first.fail(first.input.value.length < MIN_LENGTH ? say('password.short') : '');
    again.fail(again.input.value === first.input.value ? '' : say('password.differ'));
    const wrong = form.querySelector<HTMLElement>('[aria-invalid=true]');
    if (wrong) return wrong.focus();
    button.disabled = true;
    button.textContent = say('password.wait');
    try {
      const body = { password: first.input.value, password_again: again.input.value };
      await request(`/admins/password-reset/${encodeURIComponent(token)}`, { method: 'PUT', body, quiet401: true });
      sessionStorage.removeItem('pult.reset');
      form.replaceChildren(h('h1', {}, say('password.title')), h('p', { class: 'pub-done', role: 'status' }, say('password.done')), toLogin());
    } catch (error) {
      problem.textContent = say(errorKey(error instanceof ApiError ? error.code : 'UNKNOWN_ERROR'));
      button.disabled = false;
      button.textContent = say('password.submit');
    }
  };
  const form = h('form', { novalidate: true, onsubmit: submit }, h('h1', {}, say('password.title')), h('p', { class: 'pub-lead' }, say('password.lead')), first.wrap, again.wrap, problem, button);
  return form;
}
