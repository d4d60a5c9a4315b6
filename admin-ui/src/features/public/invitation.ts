import type { Invitation } from '../../generated/model';
import { ApiError, request } from '../../lib/http';
import { h } from './dom';
import { PUBLIC } from './pages';
import { dropToken, field, newPassword, notice, type PublicContext, reasonOf, sheet, takeToken, turnInto, wayOn } from './parts';
import { toProvider } from './sso';

/** Accepts an invitation: who has an account only says yes, others give their name and a password. */
export function invitationForm(context: PublicContext): HTMLElement {
  const { say, language } = context;
  const token = takeToken('invitation');
  const toLogin = () => wayOn(PUBLIC.login[language], say('password.to_login'));
  if (!token) return notice(say('invitation.title'), say('password.no_token'), 'pub-problem', toLogin());
  const path = `/admins/invitations/${encodeURIComponent(token)}`;
  const place = h('div', {}, h('h1', {}, say('invitation.title')), h('p', { class: 'pub-lead', role: 'status' }, say('invitation.loading')));

  const draw = (invitation: Invitation) => {
    const lead = say('invitation.lead').replace('{partner}', invitation.partner_name).replace('{email}', invitation.email);
    const last = field(context, { name: 'last_name', label: say('invitation.last_name'), type: 'text', autocomplete: 'family-name' });
    const first = field(context, { name: 'first_name', label: say('invitation.first_name'), type: 'text', autocomplete: 'given-name' });
    const inputs = newPassword(context);
    const known = invitation.has_password;
    const names = language === 'hu' ? [last.wrap, first.wrap] : [first.wrap, last.wrap];
    const { form, problem } = sheet(context, {
      title: say('invitation.title'),
      lead: `${lead} ${say(known ? 'invitation.known' : 'invitation.new')}`,
      inputs: known ? [] : [...names, ...inputs.wraps],
      submit: say('invitation.submit'),
      wait: say('password.wait'),
      check: () => {
        if (known) return;
        for (const name of [last, first]) name.fail(name.input.value.trim() === '' ? say('invitation.name_missing') : '');
        inputs.check();
      },
      send: async () => {
        const body = known ? {} : { last_name: last.input.value.trim(), first_name: first.input.value.trim(), ...inputs.body() };
        await request(path, { method: 'PUT', body, quiet401: true });
        dropToken('invitation');
        const here = invitation.surfaces.includes('admin');
        turnInto(form, notice(say('invitation.title'), say(here ? 'invitation.done' : 'invitation.done_elsewhere'), 'pub-done', ...(here ? [toLogin()] : [])));
      },
      below: [h('div', { class: 'pub-below' }, h('button', { type: 'button', class: 'pub-link', onclick: () => void throughProvider() }, say('invitation.provider')))],
    });
    /** With the company's account the invitation is accepted there. */
    const throughProvider = async () => {
      problem.textContent = '';
      try {
        if (!(await toProvider({ invitation: token }, '/'))) problem.textContent = say('invitation.no_provider');
      } catch (error) {
        problem.textContent = reasonOf(say, error);
      }
    };
    place.replaceChildren(form);
  };
  request<Invitation>(path, { quiet401: true }).then(
    ({ data }) => draw(data),
    (error) => {
      if (error instanceof ApiError && error.code === 'USER_INVALID_TOKEN') dropToken('invitation');
      place.replaceChildren(notice(say('invitation.title'), reasonOf(say, error), 'pub-problem', toLogin()));
    },
  );
  return place;
}
