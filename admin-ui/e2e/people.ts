import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type APIRequestContext, type Browser, type BrowserContext, request } from '@playwright/test';
import { expect, type Place } from './fixtures.ts';
import { API_HEADERS, SERVICE } from './sign-in.ts';

/** Folder of the mail sink. Tests that read mails are skipped without it. */
export const MAILS = process.env.PULT_E2E_MAILS;
export const PASS = 'nyolc-kiflivel-2026';

export interface Person {
  id: string;
  email: string;
  version: number;
  name: string;
}

/** Without it a context has the session of the test, and signing in would end that. */
export const NOBODY = { cookies: [], origins: [] };
const language = {
  name: 'pult_lang',
  value: 'hu',
  domain: new URL(SERVICE).hostname,
  path: '/',
  expires: -1,
  httpOnly: false,
  secure: false,
  sameSite: 'Lax' as const,
};
type State = Awaited<ReturnType<APIRequestContext['storageState']>>;

/** Rows to be removed after the test. */
const made: string[] = [];

export const unique = (): string => Math.random().toString(36).slice(2, 8);

const all = async (service: APIRequestContext): Promise<{ id: string; key: string }[]> =>
  (await service.get('/api/v3/admin/permissions')).json();
export const idsOf = async (service: APIRequestContext, ...keys: string[]): Promise<string[]> =>
  (await all(service)).filter((p) => keys.includes(p.key)).map((p) => p.id);

/** A person of the demo partner who can sign in at once; works in the restaurant of the test. */
export async function makePerson(
  service: APIRequestContext,
  place: Place,
  rest: Record<string, unknown> = {},
  keys: string[] = ['admin_login', 'courier'],
): Promise<Person> {
  const mark = unique();
  const answer = await service.post(`/api/v3/admin/partners/${place.partner}/admins`, {
    data: {
      last_name: 'Próba',
      first_name: mark,
      email: `proba-${mark}@pult.example`,
      restaurant_ids: [place.restaurant],
      permission_ids: await idsOf(service, ...keys),
      password: PASS,
      password_again: PASS,
      ...rest,
    },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  const person = (await answer.json()) as Person;
  made.push(person.id);
  return person;
}

/** The token of a mail's link. */
const tokenOf = async (email: string, page: string): Promise<string> =>
  (await linkTo(email, page)).split('token=')[1]!;

/** A person with an own account, made by the mailed invitation, and their session. Needs the mails. */
export async function makeOwn(
  service: APIRequestContext,
  place: Place,
  rest: Record<string, unknown> = {},
  keys?: string[],
): Promise<{ person: Person; state: State }> {
  const person = await makePerson(
    service,
    place,
    { ...rest, password: undefined, password_again: undefined },
    keys,
  );
  const api = await request.newContext({
    baseURL: SERVICE,
    extraHTTPHeaders: API_HEADERS,
    storageState: NOBODY,
  });
  const answer = await api.put(`/api/v3/admins/invitations/${await tokenOf(person.email, '/meghivas')}`, {
    data: { password: PASS, password_again: PASS },
  });
  // Accepted without a session while another test keeps the restaurant closed: then the person signs in.
  expect([200, 204], await answer.text()).toContain(answer.status());
  const state = await api.storageState();
  await api.dispose();
  if (answer.status() === 204) return { person, state: await sessionOf(person.email) };
  return { person, state: { ...state, cookies: [...state.cookies, language] } };
}

/** Removes those whom this file's tests made; others run at the same time and have their own. */
export async function removePeople(service: APIRequestContext, place: Place): Promise<void> {
  for (const id of made.splice(0))
    await service.delete(`/api/v3/admin/partners/${place.partner}/admins/${id}`);
}

/** Removes somebody who was made on the screen. */
export async function removeNamed(service: APIRequestContext, place: Place, mark: string): Promise<void> {
  for (const row of await (
    await service.get(`/api/v3/admin/partners/${place.partner}/admins?name=${mark}`)
  ).json())
    made.push(row.id);
  await removePeople(service, place);
}

/** A session of the person; sign-ins of one address are counted, so tests share what they can. */
export async function sessionOf(email: string, password = PASS): Promise<State> {
  const api = await request.newContext({
    baseURL: SERVICE,
    extraHTTPHeaders: API_HEADERS,
    storageState: NOBODY,
  });
  const answer = await api.post('/api/v3/admins/sign_in', {
    data: { admin: { email, password, surface: 'admin' } },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  const state = await api.storageState();
  await api.dispose();
  return { ...state, cookies: [...state.cookies, language] };
}

/** A browser in which the person is signed in. */
export const signedIn = async (browser: Browser, email: string, password = PASS): Promise<BrowserContext> =>
  browser.newContext({ storageState: await sessionOf(email, password) });

/**
 * One more session of somebody who is signed in and may use the till: by a ticket, which counts as no
 * sign-in.
 */
export async function oneMore(browser: Browser, from: BrowserContext, place: Place): Promise<BrowserContext> {
  const ticket = await from.request.post(`${SERVICE}/api/v3/admin/me/tickets`, {
    headers: API_HEADERS,
    data: { purpose: 'pos', restaurant_id: place.restaurant },
  });
  expect(ticket.status(), await ticket.text()).toBe(201);
  const token = new URL((await ticket.json()).url).searchParams.get('token');
  const api = await request.newContext({
    baseURL: SERVICE,
    extraHTTPHeaders: API_HEADERS,
    storageState: NOBODY,
  });
  const answer = await api.get(`/api/v3/admin/me?ticket=${token}`);
  expect(answer.status(), await answer.text()).toBe(200);
  const state = await api.storageState();
  await api.dispose();
  return browser.newContext({ storageState: state });
}

/** The answer about the present session. */
export const aliveStatus = async (context: BrowserContext): Promise<number> =>
  (await context.request.get(`${SERVICE}/api/v3/admin/me`, { headers: API_HEADERS })).status();

/** The link in the newest mail to an address, once it has come. */
export async function linkTo(email: string, page: string): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(
      () => {
        // A name with a dot is a mail that is still being written.
        const texts = readdirSync(MAILS!)
          .filter((file) => !file.startsWith('.'))
          .sort()
          .reverse()
          .map((file) => readFileSync(join(MAILS!, file), 'utf8'));
        // Long lines are folded in mails.
        link = texts
          .filter((text) => text.includes(email))
          .map(
            (text) =>
              new RegExp(`https?://[^\\s]*${page}\\?token=3?D?([A-Za-z0-9_-]+)`).exec(
                text.replace(/=\r?\n/g, ''),
              )?.[1],
          )
          .find(Boolean);
        return link;
      },
      { timeout: 15_000 },
    )
    .toBeTruthy();
  return `${page}?token=${link}`;
}
