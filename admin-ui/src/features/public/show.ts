import { languageCookie } from '../../lib/language';
import type { Language } from '../../lib/format';
import { look, setPrefs } from '../../lib/theme/prefs';
import { EYE, LOGO, MOON } from './art';
import { h, svg } from './dom';
import { loginForm } from './login';
import { newPasswordForm } from './new-password';
import { PUBLIC, type PublicPage } from './pages';
import { publicTexts, type PublicText } from './texts';
import './public.css';

export type Say = (key: PublicText) => string;

/** What a form of a public page gets: texts, and its own place to draw again. */
export interface PublicContext {
  root: HTMLElement;
  language: Language;
  say: Say;
}

/** Draws a public page. A switch of language draws it again and keeps what was typed. */
export function show(root: HTMLElement, page: PublicPage): void {
  const language = languageCookie.read() ?? 'hu';
  const say: Say = (key) => publicTexts[language][key];
  const context: PublicContext = { root, language, say };
  document.documentElement.lang = language;
  document.title = `${say(page === 'login' ? 'login.title' : 'password.title')} · Pult`;

  const typed = new Map([...root.querySelectorAll('input')].map((input) => [input.name, input.value]));
  const switchTo = (next: Language) => {
    languageCookie.write(next);
    history.replaceState(null, '', PUBLIC[page][next] + location.search);
    show(root, page);
    root.querySelector<HTMLElement>(`[lang=${next}]`)?.focus();
  };
  const languages = (['hu', 'en'] as const).map((code) =>
    h('button', { type: 'button', lang: code, class: 'pub-lang', 'aria-pressed': String(code === language), onclick: () => switchTo(code) }, code.toUpperCase()),
  );
  const theme = h('button', { type: 'button', class: 'pub-icon', 'aria-label': say('look.theme'), title: say('look.theme'), onclick: () => setPrefs({ theme: look.get().theme === 'dark' ? 'light' : 'dark' }) }, svg(MOON));

  root.replaceChildren(
    h('div', { class: 'pub' },
      h('aside', { class: 'pub-side' },
        h('div', { class: 'pub-brand' }, svg(LOGO), 'Pult'),
        rail(),
        h('p', { class: 'pub-slogan' }, say('login.lead')),
      ),
      h('div', { class: 'pub-main' },
        h('header', { class: 'pub-top' },
          h('div', { class: 'pub-brand pub-brand-small' }, svg(LOGO), 'Pult'),
          h('div', { class: 'pub-langs', role: 'group', 'aria-label': say('look.language') }, ...languages),
          theme,
        ),
        h('main', { class: 'pub-form' }, page === 'login' ? loginForm(context) : newPasswordForm(context)),
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
  const ticket = (number: string, lines: number[], tone: string) => h('div', { class: `pub-ticket ${tone}` }, h('b', {}, number), ...lines.map(line), h('span'));
  return h('div', { class: 'pub-rail', 'aria-hidden': 'true' }, ticket('118', [80, 62, 71], 'a'), ticket('119', [66, 84], 'b'), ticket('120', [74, 58, 82, 47], 'c'), ticket('121', [70, 88, 52], 'a'), ticket('122', [64, 78], 'b'));
}

/** A labelled input with its error line; passwords get an eye and a Caps Lock hint. */
export function field(context: PublicContext, options: { name: string; label: string; type: string; autocomplete: string; value?: string }): { wrap: HTMLElement; input: HTMLInputElement; fail: (text: string) => void } {
  const { say } = context;
  const id = `f-${options.name}`;
  const input = h('input', { id, name: options.name, type: options.type, autocomplete: options.autocomplete, 'aria-describedby': `${id}-error`, value: options.value, inputmode: options.type === 'email' ? 'email' : undefined, autocapitalize: 'none', spellcheck: 'false' });
  const error = h('p', { class: 'pub-error', id: `${id}-error`, 'aria-live': 'polite' });
  const fail = (text: string) => {
    error.textContent = text;
    input.toggleAttribute('aria-invalid', text !== '');
    if (text) input.setAttribute('aria-invalid', 'true');
  };
  input.addEventListener('input', () => fail(''));
  const secret = options.type === 'password';
  const caps = secret && h('p', { class: 'pub-caps', role: 'status' });
  if (caps) {
    for (const kind of ['keydown', 'keyup'] as const) input.addEventListener(kind, (event) => (caps.textContent = event.getModifierState('CapsLock') ? say('login.caps') : ''));
    input.addEventListener('blur', () => (caps.textContent = ''));
  }
  const eye = secret && h('button', {
    type: 'button', class: 'pub-eye', 'aria-label': say('login.show'), 'aria-pressed': 'false',
    onclick: () => {
      const shown = input.type === 'text';
      input.type = shown ? 'password' : 'text';
      (eye as HTMLElement).setAttribute('aria-pressed', String(!shown));
      (eye as HTMLElement).setAttribute('aria-label', say(shown ? 'login.show' : 'login.hide'));
    },
  }, svg(EYE));
  const wrap = h('div', { class: 'pub-field' }, h('label', { for: id }, options.label), h('div', { class: 'pub-input' }, input, eye), caps, error);
  return { wrap, input, fail };
}
