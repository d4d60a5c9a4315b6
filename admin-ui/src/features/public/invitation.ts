import { invitationsAccept, invitationsGet } from '../../generated/client/session/session';
import type { Invitation } from '../../generated/model';
import { ApiError } from '../../lib/http';
import { session } from '../../lib/session';
import { h } from './dom';
import { enter, preload } from './enter';
import { PUBLIC } from './pages';
import {
  changedMeanwhile,
  dropToken,
  field,
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
import { toProvider } from './sso';

/** Name, password and what happens with accounts elsewhere, for who has no password yet. */
function newAccount(context: PublicContext, invitation: Invitation) {
  const { say, language } = context;
  const name = (key: 'last_name' | 'first_name', autocomplete: 'family-name' | 'given-name') =>
    field(context, {
      name: key,
      label: say(`invitation.${key}`),
      type: 'text',
      autocomplete,
      value: invitation[key],
    });
  const last = name('last_name', 'family-name');
  const first = name('first_name', 'given-name');
  const password = newPassword(context, invitation.password_min_length);
  const elsewhere = leaving(context, invitation.partners);
  const names = language === 'hu' ? [last.wrap, first.wrap] : [first.wrap, last.wrap];
  return {
    inputs: [...names, ...password.wraps, ...elsewhere.wraps],
    check: password.check,
    body: () => ({
      last_name: last.input.value.trim(),
      first_name: first.input.value.trim(),
      ...password.body(),
      ...elsewhere.body(),
    }),
  };
}

/** Accepts with this body: enters where that signs in, else says in the place of `form` how to go on. */
async function accept(
  context: PublicContext,
  {
    token,
    invitation,
    body,
    form,
  }: { token: string; invitation: Invitation; body: object; form: HTMLElement },
): Promise<void> {
  const { say, root } = context;
  const me = await invitationsAccept(token, body, { quiet401: true });
  dropToken('invitation');
  if (me) {
    session.set(me);
    // Home goes on into the guide where the company's restaurant is not complete.
    return enter(root, `/?guide=${invitation.partner_id}`);
  }
  const here = invitation.surfaces.includes('admin');
  turnInto(
    form,
    notice(
      say('invitation.title'),
      say(here ? 'invitation.done' : 'invitation.done_elsewhere'),
      'pub-done',
      ...(here ? [toLogin(context)] : []),
    ),
  );
}

const toLogin = ({ say, language }: PublicContext) => wayOn(PUBLIC.login[language], say('password.to_login'));

/** The form for an invitation that was found. `onChanged`: somebody changed it meanwhile. */
function acceptForm(
  context: PublicContext,
  token: string,
  invitation: Invitation,
  onChanged: (reason: string) => void,
) {
  const { say } = context;
  const lead = say('invitation.lead')
    .replace('{partner}', invitation.partner_name)
    .replace('{email}', invitation.email);
  const known = invitation.has_password;
  const account = known ? undefined : newAccount(context, invitation);
  if (!known) void preload();
  const { form, problem } = sheet(context, {
    title: say('invitation.title'),
    lead: `${lead} ${say(known ? 'invitation.known' : 'invitation.new')}`,
    inputs: account?.inputs ?? [],
    submit: say('invitation.submit'),
    wait: say('password.wait'),
    check: () => account?.check(),
    send: () => accept(context, { token, invitation, body: account?.body() ?? {}, form }),
    refused: (error) => {
      if (changedMeanwhile(error)) onChanged(reasonOf(say, error));
    },
    below: [
      h(
        'div',
        { class: 'pub-below' },
        h(
          'button',
          { type: 'button', class: 'pub-link', onclick: () => void throughProvider() },
          say('invitation.provider'),
        ),
      ),
    ],
  });
  /** With the company's account the invitation is accepted there. */
  const throughProvider = async () => {
    problem.textContent = '';
    try {
      if (!(await toProvider({ invitation: token }, '/')))
        problem.textContent = say('invitation.no_provider');
    } catch (error) {
      problem.textContent = reasonOf(say, error);
    }
  };
  return { form, problem };
}

/**
 * Accepts an invitation: a person with a password of their own only agrees; others choose a password, and a
 * name if there is none, and are signed in.
 */
export function invitationForm(context: PublicContext): HTMLElement {
  const { say } = context;
  const token = takeToken('invitation');
  if (!token)
    return notice(say('invitation.title'), say('password.no_token'), 'pub-problem', toLogin(context));
  const place = h(
    'div',
    {},
    h('h1', {}, say('invitation.title')),
    h('p', { class: 'pub-lead', role: 'status' }, say('invitation.loading')),
  );
  const load = (message = '') =>
    void invitationsGet(token, { quiet401: true }).then(
      (invitation) => {
        const { form, problem } = acceptForm(context, token, invitation, load);
        place.replaceChildren(form);
        problem.textContent = message;
      },
      (error) => {
        if (error instanceof ApiError && error.code === 'USER_INVALID_TOKEN') dropToken('invitation');
        place.replaceChildren(
          notice(say('invitation.title'), reasonOf(say, error), 'pub-problem', toLogin(context)),
        );
      },
    );
  load();
  return place;
}
