import { getInvitationsAcceptUrl, invitationsGet } from '../../generated/client/session/session';
import type { Invitation, Me } from '../../generated/model';
import { ApiError, request } from '../../lib/http';
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

/**
 * Accepts an invitation: who has a password of their own only says yes; others choose a password, and a name
 * unless one was given, and are in.
 */
export function invitationForm(context: PublicContext): HTMLElement {
  const { say, language, root } = context;
  const token = takeToken('invitation');
  const toLogin = () => wayOn(PUBLIC.login[language], say('password.to_login'));
  if (!token) return notice(say('invitation.title'), say('password.no_token'), 'pub-problem', toLogin());
  const place = h(
    'div',
    {},
    h('h1', {}, say('invitation.title')),
    h('p', { class: 'pub-lead', role: 'status' }, say('invitation.loading')),
  );

  const draw = (invitation: Invitation, message = '') => {
    const lead = say('invitation.lead')
      .replace('{partner}', invitation.partner_name)
      .replace('{email}', invitation.email);
    const last = field(context, {
      name: 'last_name',
      label: say('invitation.last_name'),
      type: 'text',
      autocomplete: 'family-name',
      help: say('invitation.name_help'),
    });
    const first = field(context, {
      name: 'first_name',
      label: say('invitation.first_name'),
      type: 'text',
      autocomplete: 'given-name',
      help: say('invitation.name_help'),
    });
    const inputs = newPassword(context);
    const elsewhere = leaving(context, invitation.partners);
    const known = invitation.has_password;
    const names = language === 'hu' ? [last.wrap, first.wrap] : [first.wrap, last.wrap];
    if (!known) void preload();
    const { form, problem } = sheet(context, {
      title: say('invitation.title'),
      lead: `${lead} ${say(known ? 'invitation.known' : 'invitation.new')}`,
      inputs: known ? [] : [...names, ...inputs.wraps, ...elsewhere.wraps],
      submit: say('invitation.submit'),
      wait: say('password.wait'),
      check: () => {
        if (!known) inputs.check();
      },
      send: async () => {
        const body = known
          ? {}
          : {
              last_name: last.input.value.trim(),
              first_name: first.input.value.trim(),
              ...inputs.body(),
              ...elsewhere.body(),
            };
        const { data, status } = await request<Me | undefined>(getInvitationsAcceptUrl(token), {
          method: 'PUT',
          body,
          quiet401: true,
        });
        dropToken('invitation');
        if (status === 200 && data) {
          session.set(data);
          return enter(root, '/');
        }
        const here = invitation.surfaces.includes('admin');
        turnInto(
          form,
          notice(
            say('invitation.title'),
            say(here ? 'invitation.done' : 'invitation.done_elsewhere'),
            'pub-done',
            ...(here ? [toLogin()] : []),
          ),
        );
      },
      refused: (error) => {
        if (changedMeanwhile(error)) load(reasonOf(say, error));
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
    place.replaceChildren(form);
    problem.textContent = message;
  };
  const load = (message?: string) =>
    void invitationsGet(token, { quiet401: true }).then(
      (found) => draw(found, message),
      (error) => {
        if (error instanceof ApiError && error.code === 'USER_INVALID_TOKEN') dropToken('invitation');
        place.replaceChildren(
          notice(say('invitation.title'), reasonOf(say, error), 'pub-problem', toLogin()),
        );
      },
    );
  load();
  return place;
}
