import { createHmac } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from '@playwright/test';

export type Role = 'super' | 'partner' | 'restaurant';
export const ROLES: readonly Role[] = ['super', 'partner', 'restaurant'];
/** Accounts of the demo partner, made by the service's demo data. */
export const PASSWORD = 'pult-demo-2026';
/** Secret of the demo super admin's second factor, in base32 (`pult demo` prints it). */
export const SECOND_FACTOR = 'PULTDEMO2PULTDEMO3PULTDEMO4PULTD';
const STEP = 30_000;
export const emailOf = (role: Role): string => `${role}@pult.example`;
export const SERVICE = process.env.PULT_E2E_URL ?? 'http://localhost:8080';
/** A call signed in by cookie needs our header, a writing one also our origin. */
export const API_HEADERS = { 'X-Pult-UI': '1', Origin: new URL(SERVICE).origin };

const folder = new URL(
  `../node_modules/.cache/e2e/${new URL(SERVICE).host.replace(':', '-')}/`,
  import.meta.url,
).pathname;
export const stateFile = (role: Role): string => `${folder}${role}.json`;

/** The code of an authenticator app (RFC 6238: SHA-1, six digits, 30 s). */
export function codeOf(secret: string, at = Date.now()): string {
  const bits = [...secret]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / STEP)));
  const hash = createHmac('sha1', key).update(counter).digest();
  const number = hash.readUInt32BE((hash.at(-1) ?? 0) & 15) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/**
 * Before all tests: signs in once per role; a session of an earlier run is taken while it lasts (sign-ins are
 * counted).
 */
export default async function signInAll(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const role of ROLES) {
    let storageState: { cookies: never[]; origins: never[] } | undefined;
    try {
      storageState = JSON.parse(readFileSync(stateFile(role), 'utf8'));
    } catch {
      // the first run
    }
    const context = await request.newContext({
      baseURL: SERVICE,
      extraHTTPHeaders: API_HEADERS,
      ...(storageState ? { storageState } : {}),
    });
    if (!storageState || (await context.get('/api/v3/admin/me')).status() !== 200) {
      const signIn = () => {
        const code = role === 'super' ? codeOf(SECOND_FACTOR) : undefined;
        return context.post('/api/v3/admins/sign_in', {
          data: { admin: { email: emailOf(role), password: PASSWORD, code } },
        });
      };
      let answer = await signIn();
      if (answer.status() === 401 && (await answer.json()).code === 'SECOND_FACTOR_INVALID') {
        // Each code counts once, and a run before this one has just taken it.
        await new Promise((resolve) => setTimeout(resolve, STEP - (Date.now() % STEP) + 500));
        answer = await signIn();
      }
      if (answer.status() !== 200)
        throw new Error(`cannot sign in as ${role} at ${SERVICE}: ${answer.status()} ${await answer.text()}`);
      const state = await context.storageState();
      // The device's language, so that no test depends on which one another left in the account.
      const language = {
        name: 'pult_lang',
        value: 'hu',
        domain: new URL(SERVICE).hostname,
        path: '/',
        expires: -1,
        httpOnly: false,
        secure: false,
        sameSite: 'Lax',
      };
      writeFileSync(
        stateFile(role),
        JSON.stringify({
          ...state,
          cookies: [...state.cookies.filter(({ name }) => name !== language.name), language],
        }),
        { mode: 0o600 },
      );
    }
    await context.dispose();
  }
}
