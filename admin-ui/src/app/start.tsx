import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { meChooseLanguage, startUpGet } from '../generated/client/session/session';
import { showFailure } from '../features/public/failure';
import { PUBLIC } from '../features/public/pages';
import { ApiError, setSessionHandlers } from '../lib/http';
import { accountLanguage, setLanguage, startI18n } from '../lib/i18n';
import { languageCookie } from '../lib/language';
import { whenIdle } from '../lib/reach';
import { session } from '../lib/session';
import { featureBySlug, splitPath, translatePath } from '../lib/features';
import { clientConfig } from './config';
import { routes } from './routes';
import { serviceWorker } from './serviceWorker';
import { askToSignIn } from './signInAgain';

/** Address of the sign-in page that returns here afterwards. */
export function loginAddress(from: string): string {
  const page = PUBLIC.login[languageCookie.read() ?? 'hu'];
  return from === '/' ? page : `${page}?to=${encodeURIComponent(from)}`;
}

/** Ends the session and the page with it: a full load leaves nothing of this person in memory. */
export async function signOut(): Promise<void> {
  await session.signOut();
  location.assign(loginAddress('/'));
}

/** Nobody looks at an empty page for longer. */
const START_MS = 10_000;

/**
 * The start-up call, the session, the language; then the application. A visitor without a session goes to
 * sign-in.
 */
export async function start(root: HTMLElement): Promise<void> {
  // The code of the screen in the address travels while the service is asked who we are.
  void featureBySlug(splitPath(location.pathname)?.slug ?? '')
    ?.load()
    .catch(() => undefined);
  try {
    const [config] = await Promise.all([
      startUpGet({ quiet401: true, timeout: START_MS }),
      session.get() ?? session.load(),
    ]);
    clientConfig.set(config);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NO_ADMIN_ACCESS') {
      await session.signOut();
      return location.replace(`${loginAddress('/')}?reason=${error.code}`);
    }
    return showFailure(root, error);
  }
  const me = session.get();
  if (!me) return location.replace(loginAddress(location.pathname + location.search));
  const language = languageCookie.read() ?? me.language;
  await startI18n(language === 'en' ? 'en' : 'hu');
  setSessionHandlers({
    unauthorized: askToSignIn,
    forbidden: () => void session.load().catch(() => undefined),
  });
  createRoot(root).render(<RouterProvider router={createBrowserRouter(routes)} />);
  const worker = clientConfig.get()?.service_worker;
  if (worker !== undefined)
    whenIdle(() => void serviceWorker(worker).catch((error) => console.error('service worker', error)));
}

/** Switches the language for this device and this account; the page, its query and its forms stay. */
export async function switchLanguage(language: 'hu' | 'en', go: (path: string) => void): Promise<void> {
  await setLanguage(language);
  go(translatePath(location.pathname, language) + location.search + location.hash);
  // A session that reaches one partner only changes nothing of the account.
  if (session.get()?.bound) return;
  // The account's language decides mails and the next device; a failure here must not undo the switch.
  await meChooseLanguage({ language }).then(
    () => accountLanguage.set(language),
    () => undefined,
  );
}
