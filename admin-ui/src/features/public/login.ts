import { ApiError } from '../../lib/http';
import { session } from '../../lib/session';
import { h } from './dom';
import { enter, preload } from './enter';
import { PUBLIC, safeReturn } from './pages';
import { field, link, type PublicContext, reasonOf, sheet } from './parts';
import { toProvider } from './sso';
import { errorKey } from './texts';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** The two fields, and what is wrong with them. */
function credentialFields(context: PublicContext) {
  const { say } = context;
  const email = field(context, {
    name: 'email',
    label: say('login.email'),
    type: 'email',
    autocomplete: 'username',
  });
  const password = field(context, {
    name: 'password',
    label: say('login.password'),
    type: 'password',
    autocomplete: 'current-password',
  });
  const checkEmail = () => {
    const address = email.input.value.trim();
    email.fail(
      address === '' ? say('login.email_missing') : EMAIL.test(address) ? '' : say('login.email_format'),
    );
  };
  const check = () => {
    checkEmail();
    password.fail(password.input.value === '' ? say('login.password_missing') : '');
  };
  return { email, password, checkEmail, check };
}

/**
 * E-mail and password, then the second factor where there is one; on success the application starts in place.
 */
export function loginForm(context: PublicContext): HTMLElement {
  const { say, root } = context;
  const query = new URLSearchParams(location.search);
  const to = safeReturn(query.get('to'));
  const { email, password, checkEmail, check } = credentialFields(context);

  const { form, problem } = sheet(context, {
    title: say('login.title'),
    ...(to === '/' ? {} : { lead: say('login.again') }),
    inputs: [email.wrap, password.wrap],
    submit: say('login.submit'),
    wait: say('login.wait'),
    check,
    send: async () => {
      try {
        await session.signIn(email.input.value.trim(), password.input.value);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'SECOND_FACTOR_REQUIRED') throw error;
        return askCode();
      }
      await enter(root, to);
    },
    refused: (error) => {
      if (!(error instanceof ApiError) || error.status !== 401) return;
      password.input.value = '';
      password.input.focus();
    },
    below: [otherWays(context, () => void throughProvider())],
  });
  form.addEventListener('focusin', preload);
  const reason = query.get('reason');
  if (reason) problem.textContent = say(errorKey(reason));

  const askCode = () => {
    const second = codeForm(context, {
      email: email.input.value.trim(),
      password: password.input.value,
      to,
      back: () => {
        second.replaceWith(form);
        password.input.focus();
      },
    });
    form.replaceWith(second);
    second.querySelector('input')?.focus();
  };

  /** The e-mail address selects the provider. The answer is the same for every address. */
  const throughProvider = async () => {
    checkEmail();
    if (email.input.hasAttribute('aria-invalid')) return email.input.focus();
    problem.textContent = '';
    try {
      if (!(await toProvider({ email: email.input.value.trim() }, to)))
        problem.textContent = say('login.no_provider');
    } catch (error) {
      problem.textContent = reasonOf(say, error);
    }
  };

  // A signed-in user is redirected.
  if (session.mayBeSignedIn())
    void session.load().then(
      (me) => (me && form.isConnected ? enter(root, to) : undefined),
      () => undefined,
    );
  return form;
}

/** The links below the form: a forgotten password, the company's account. */
function otherWays({ say, language }: PublicContext, onProvider: () => void): HTMLElement {
  return h(
    'div',
    { class: 'pub-below' },
    link(PUBLIC.forgotten[language], say('login.forgotten')),
    h('button', { type: 'button', class: 'pub-link', onclick: onProvider }, say('login.provider')),
  );
}

/** The second step: six digits of the app, or a recovery code. */
function codeForm(
  context: PublicContext,
  { email, password, to, back }: { email: string; password: string; to: string; back: () => void },
): HTMLElement {
  const { say, root } = context;
  const code = field(context, {
    name: 'code',
    label: say('code.code'),
    type: 'text',
    autocomplete: 'one-time-code',
    inputmode: 'text',
  });
  return sheet(context, {
    title: say('code.title'),
    lead: say('code.lead'),
    inputs: [code.wrap],
    submit: say('login.submit'),
    wait: say('login.wait'),
    check: () => code.fail(code.input.value.trim() === '' ? say('code.missing') : ''),
    send: async () => {
      await session.signIn(email, password, code.input.value.trim());
      await enter(root, to);
    },
    refused: () => {
      code.input.value = '';
      code.input.focus();
    },
    below: [
      h(
        'div',
        { class: 'pub-below' },
        h('button', { type: 'button', class: 'pub-link', onclick: back }, say('code.back')),
      ),
    ],
  }).form;
}
