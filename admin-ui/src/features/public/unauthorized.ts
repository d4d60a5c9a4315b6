import { session } from '../../lib/session';
import { h } from './dom';
import { PUBLIC } from './pages';
import { notice, type PublicContext, wayOn } from './parts';

/** Not enough access: to the main page, or in with another account. */
export function unauthorizedPage({ say, language }: PublicContext): HTMLElement {
  const other = h(
    'button',
    {
      type: 'button',
      class: 'pub-link',
      onclick: () => void session.signOut().then(() => location.assign(PUBLIC.login[language])),
    },
    say('unauthorized.other'),
  );
  return notice(
    say('unauthorized.title'),
    say('unauthorized.text'),
    'pub-lead',
    wayOn('/', say('unauthorized.home')),
    h('div', { class: 'pub-below' }, other),
  );
}
