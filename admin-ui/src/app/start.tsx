import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { startUpGet } from '../generated/client/session/session';
import { showFailure } from '../features/public/failure';
import { loginAddress } from '../features/public/pages';
import { registerScreens } from '../features/registry';
import { setSessionHandlers } from '../lib/http';
import { startI18n } from '../lib/i18n';
import { languageCookie } from '../lib/language';
import { whenIdle } from '../lib/reach';
import { session } from '../lib/session';
import { featureBySlug, splitPath } from '../lib/features';
import { clientConfig } from './config';
import { routes } from './routes';
import { serviceWorker } from './serviceWorker';
import { askToSignIn } from './signInAgain';
import { readAccount, signedOutBy } from './shutOut';

/** The longest time that the page may stay empty. */
const START_MS = 10_000;

/**
 * The start-up call, the session, the language; then the application. A visitor without a session goes to
 * sign-in.
 */
export async function start(root: HTMLElement): Promise<void> {
  registerScreens();
  // The code of the screen is loaded while the service is asked who is signed in.
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
    if (!(await signedOutBy(error))) showFailure(root, error);
    return;
  }
  const me = session.get();
  if (!me) return location.replace(loginAddress(location.pathname + location.search));
  const language = languageCookie.read() ?? me.language;
  await startI18n(language === 'en' ? 'en' : 'hu');
  setSessionHandlers({
    unauthorized: askToSignIn,
    forbidden: () => void readAccount(),
  });
  createRoot(root).render(<RouterProvider router={createBrowserRouter(routes)} />);
  const worker = clientConfig.get()?.service_worker;
  if (worker !== undefined)
    whenIdle(() => void serviceWorker(worker).catch((error) => console.error('service worker', error)));
}
