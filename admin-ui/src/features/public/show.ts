import { languageCookie } from '../../lib/language';
import type { Language } from '../../lib/format';
import { look, setPrefs } from '../../lib/theme/prefs';
import { LOGO, MOON } from './art';
import { h, svg } from './dom';
import { forgottenForm } from './forgotten';
import { invitationForm } from './invitation';
import { loginForm } from './login';
import { newPasswordForm } from './new-password';
import { languageAt, PUBLIC, type PublicPage } from './pages';
import type { PublicContext, Translate } from './parts';
import { posLoginPage } from './pos-login';
import { ssoPage } from './sso';
import { publicTexts, type PublicText } from './texts';
import { unauthorizedPage } from './unauthorized';
import './public.css';

const PAGES: Record<PublicPage, { title: PublicText; draw: (context: PublicContext) => HTMLElement }> = {
  login: { title: 'login.title', draw: loginForm },
  forgotten: { title: 'forgotten.title', draw: forgottenForm },
  password: { title: 'password.title', draw: newPasswordForm },
  invitation: { title: 'invitation.title', draw: invitationForm },
  unauthorized: { title: 'unauthorized.title', draw: unauthorizedPage },
  posLogin: { title: 'pos.title', draw: posLoginPage },
  sso: { title: 'sso.title', draw: ssoPage },
};

/** Draws a public page. Switching the language draws it again and keeps the input. */
export function show(root: HTMLElement, page: PublicPage): void {
  const chosen = languageCookie.read();
  const language = chosen ?? languageAt(location.pathname) ?? 'hu';
  // A user who follows a link of an English mail stays in English.
  if (!chosen && language !== 'hu') languageCookie.write(language);
  const say: Translate = (key) => publicTexts[language][key];
  const context: PublicContext = { root, language, say };
  document.documentElement.lang = language;
  document.title = `${say(PAGES[page].title)} · Pult`;

  const typed = new Map([...root.querySelectorAll('input')].map((input) => [input.name, input.value]));
  const switchTo = (next: Language) => {
    languageCookie.write(next);
    history.replaceState(null, '', PUBLIC[page][next] + location.search);
    show(root, page);
    root.querySelector<HTMLElement>(`[lang=${next}]`)?.focus();
  };
  const languages = (['hu', 'en'] as const).map((code) =>
    h(
      'button',
      {
        type: 'button',
        lang: code,
        class: 'pub-lang',
        'aria-pressed': String(code === language),
        onclick: () => switchTo(code),
      },
      code.toUpperCase(),
    ),
  );
  const theme = h(
    'button',
    {
      type: 'button',
      class: 'pub-icon',
      'aria-label': say('look.theme'),
      title: say('look.theme'),
      onclick: () => setPrefs({ theme: look.get().theme === 'dark' ? 'light' : 'dark' }),
    },
    svg(MOON),
  );

  root.replaceChildren(
    h(
      'div',
      { class: 'pub' },
      h(
        'aside',
        { class: 'pub-side' },
        h('div', { class: 'pub-brand' }, svg(LOGO), 'Pult'),
        rail(),
        h('p', { class: 'pub-slogan' }, say('login.lead')),
      ),
      h(
        'div',
        { class: 'pub-main' },
        h(
          'header',
          { class: 'pub-top' },
          h('div', { class: 'pub-brand pub-brand-small' }, svg(LOGO), 'Pult'),
          h('div', { class: 'pub-langs', role: 'group', 'aria-label': say('look.language') }, ...languages),
          theme,
        ),
        h('main', { class: 'pub-form' }, PAGES[page].draw(context)),
      ),
    ),
  );
  for (const input of root.querySelectorAll('input')) input.value = typed.get(input.name) ?? input.value;
}

/** The ticket rail above the kitchen counter: drawn in CSS, for the eye only. */
function rail(): HTMLElement {
  const line = (width: number) => {
    const bar = h('i');
    bar.style.width = `${width}%`; // by the object model: a strict CSP refuses style attributes
    return bar;
  };
  const ticket = (number: string, lines: number[], tone: string) =>
    h('div', { class: `pub-ticket ${tone}` }, h('b', {}, number), ...lines.map(line), h('span'));
  return h(
    'div',
    { class: 'pub-rail', 'aria-hidden': 'true' },
    ticket('118', [80, 62, 71], 'a'),
    ticket('119', [66, 84], 'b'),
    ticket('120', [74, 58, 82, 47], 'c'),
    ticket('121', [70, 88, 52], 'a'),
    ticket('122', [64, 78], 'b'),
  );
}
