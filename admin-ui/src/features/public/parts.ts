import type { LinkPartner } from '../../generated/model';
import { ApiError } from '../../lib/http';
import type { Language } from '../../lib/format';
import { waitUnit } from '../../lib/wait';
import { EYE } from './art';
import { h, svg } from './dom';
import { errorKey, type PublicText } from './texts';

export type Translate = (key: PublicText) => string;

/** What a form of a public page gets: texts, and its own place to draw again. */
export interface PublicContext {
  root: HTMLElement;
  language: Language;
  say: Translate;
}

/** A link in the colour of the text. */
export const link = (href: string, text: string) => h('a', { class: 'pub-link', href }, text);

/** A link that looks like the page's button. */
export const wayOn = (href: string, text: string) => h('a', { class: 'pub-submit', href }, text);

/** Why a call failed, in the visitor's language. */
export function reasonOf(say: Translate, error: unknown): string {
  const failure = error instanceof ApiError ? error : undefined;
  const { unit, n } = waitUnit(failure?.retryAfter ?? 60);
  return say(errorKey(failure?.code ?? 'UNKNOWN_ERROR')).replace(
    '{time}',
    say(`wait.${unit}`).replace('{n}', String(n)),
  );
}

/** The box for what went wrong, read out when it changes. */
const problemBox = () => h('div', { class: 'pub-problem', role: 'alert' });

interface Input {
  wrap: HTMLElement;
  input: HTMLInputElement;
  /** Shows a fault below the input; an empty text takes it away. */
  fail: (text: string) => void;
}

/** A labelled input with its help and its error line; passwords get an eye and a Caps Lock hint. */
export function field(
  { say }: PublicContext,
  options: {
    name: string;
    label: string;
    type: string;
    autocomplete: string;
    value?: string;
    inputmode?: string;
    help?: string;
  },
): Input {
  const id = `f-${options.name}`;
  const input = h('input', {
    id,
    name: options.name,
    type: options.type,
    autocomplete: options.autocomplete,
    'aria-describedby': options.help ? `${id}-help ${id}-error` : `${id}-error`,
    value: options.value,
    inputmode: options.inputmode ?? (options.type === 'email' ? 'email' : undefined),
    autocapitalize: 'none',
    spellcheck: 'false',
  });
  const help = options.help && h('p', { class: 'pub-help', id: `${id}-help` }, options.help);
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
    for (const kind of ['keydown', 'keyup'] as const)
      input.addEventListener(
        kind,
        (event) => (caps.textContent = event.getModifierState('CapsLock') ? say('login.caps') : ''),
      );
    input.addEventListener('blur', () => (caps.textContent = ''));
  }
  const eye =
    secret &&
    h(
      'button',
      {
        type: 'button',
        class: 'pub-eye',
        'aria-label': say('login.show'),
        'aria-pressed': 'false',
        onclick: () => {
          const shown = input.type === 'text';
          input.type = shown ? 'password' : 'text';
          (eye as HTMLElement).setAttribute('aria-pressed', String(!shown));
          (eye as HTMLElement).setAttribute('aria-label', say(shown ? 'login.show' : 'login.hide'));
        },
      },
      svg(EYE),
    );
  const wrap = h(
    'div',
    { class: 'pub-field' },
    h('label', { for: id }, options.label),
    h('div', { class: 'pub-input' }, input, eye),
    help,
    caps,
    error,
  );
  return { wrap, input, fail };
}

/**
 * The two inputs of a new password of at least `min` characters, and whether they will do. OWASP and NIST:
 * length counts, not kinds of characters. The service looks at known passwords too.
 */
export function newPassword(
  context: PublicContext,
  min: number,
): {
  wraps: HTMLElement[];
  check: () => void;
  body: () => { password: string; password_again: string };
} {
  const { say } = context;
  const first = field(context, {
    name: 'password',
    label: say('password.new'),
    type: 'password',
    autocomplete: 'new-password',
    help: say('password.help').replace('{min}', String(min)),
  });
  const again = field(context, {
    name: 'password_again',
    label: say('password.again'),
    type: 'password',
    autocomplete: 'new-password',
  });
  return {
    wraps: [first.wrap, again.wrap],
    check: () => {
      const short = [...first.input.value].length < min;
      first.fail(short ? say('password.short').replace('{min}', String(min)) : '');
      again.fail(again.input.value === first.input.value ? '' : say('password.differ'));
    },
    body: () => ({ password: first.input.value, password_again: again.input.value }),
  };
}

/**
 * Partners where the person already has access, because another person had set the password. Each can be
 * left.
 */
export function leaving(
  { say }: PublicContext,
  partners: LinkPartner[],
): { wraps: HTMLElement[]; body: () => { leave?: string[] } } {
  if (partners.length === 0) return { wraps: [], body: () => ({}) };
  const boxes = partners.map(({ partner_id, partner_name }) => ({
    label: say('link.leave').replace('{partner}', partner_name),
    input: h('input', { type: 'checkbox', id: `f-leave-${partner_id}`, value: partner_id }),
  }));
  const wrap = h(
    'fieldset',
    { class: 'pub-leaving' },
    h('legend', {}, say('link.partners')),
    ...boxes.map(({ label, input }) => h('label', { for: input.id }, input, label)),
    h('p', {}, say('link.before')),
  );
  return {
    wraps: [wrap],
    body: () => {
      const leave = boxes.filter(({ input }) => input.checked).map(({ input }) => input.value);
      return leave.length > 0 ? { leave } : {};
    },
  };
}

/** The account is somebody else's state than the page shows: another link was quicker. */
export const changedMeanwhile = (error: unknown): boolean =>
  error instanceof ApiError && ['CONFLICT', 'USER_HAS_PASSWORD'].includes(error.code);

interface SheetOptions {
  title: string;
  lead?: string;
  inputs: HTMLElement[];
  submit: string;
  wait: string;
  /** Marks inputs that will not do. */
  check?: () => void;
  /** Sends; a failure is shown in the box above the button. */
  send: () => Promise<unknown>;
  /** After a refusal, before the user goes on. */
  refused?: (error: unknown) => void;
  below?: (HTMLElement | false)[];
}

/** A form: checks its inputs, sends once, says what went wrong. */
export function sheet(
  { say }: PublicContext,
  options: SheetOptions,
): { form: HTMLFormElement; problem: HTMLElement } {
  const problem = problemBox();
  const button = h('button', { type: 'submit', class: 'pub-submit' }, options.submit);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (button.disabled) return;
    problem.textContent = '';
    options.check?.();
    const wrong = form.querySelector<HTMLElement>('[aria-invalid=true]');
    if (wrong) return wrong.focus();
    button.disabled = true;
    button.textContent = options.wait;
    try {
      await options.send();
    } catch (error) {
      problem.textContent = reasonOf(say, error);
      options.refused?.(error);
    } finally {
      button.disabled = false;
      button.textContent = options.submit;
    }
  };
  const form = h(
    'form',
    { novalidate: true, onsubmit: submit },
    h('h1', {}, options.title),
    options.lead !== undefined && h('p', { class: 'pub-lead' }, options.lead),
    ...options.inputs,
    problem,
    button,
    ...(options.below ?? []),
  );
  return { form, problem };
}

/** A page that only says something, with a way on. */
export const notice = (
  title: string,
  text: string,
  tone: 'pub-done' | 'pub-problem' | 'pub-lead',
  ...ways: HTMLElement[]
): HTMLElement =>
  h(
    'div',
    {},
    h('h1', { tabindex: '-1' }, title),
    h('p', { class: tone, role: tone === 'pub-problem' ? 'alert' : 'status' }, text),
    ...ways,
  );

/**
 * Puts a notice in the place of what somebody was at, and the focus with it: it is read out, and Tab goes on
 * from there.
 */
export function turnInto(before: Element, now: HTMLElement): void {
  before.replaceWith(now);
  now.querySelector('h1')?.focus();
}

/** Takes a one-time token out of the address bar at once and keeps it for this tab. */
export function takeToken(name: string): string | null {
  const key = `pult.token.${name}`;
  const given = new URLSearchParams(location.search).get('token');
  if (given) {
    sessionStorage.setItem(key, given);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(key);
}
export const dropToken = (name: string): void => sessionStorage.removeItem(`pult.token.${name}`);
