import type { Browser, BrowserContext, Cookie, Page } from '@playwright/test';
import { SERVICE } from './sign-in.ts';

/** With what somebody comes. */
export interface State {
  cookies: Cookie[];
  origins: never[];
}

/** The window somebody works in all day: tests of one role have it one after the other. */
export interface Window {
  context: BrowserContext;
  page: Page;
  /** Something was done to it that has no way back. */
  spoilt: boolean;
  /** An answer was made up that the application keeps for longer than it is in a restaurant. */
  routed: boolean;
  /** Nothing is left of the test before. */
  loaded: boolean;
}

const LISTENED = [
  'console',
  'pageerror',
  'request',
  'requestfinished',
  'requestfailed',
  'response',
  'dialog',
  'websocket',
  'download',
  'popup',
  'filechooser',
] as const;
/** Addresses of calls whose answers stay cached: session, configuration, restaurants. */
const CACHED_CALLS = /admin.?\/me|api.?\/rest|restaurants|\*\*$/;
/** No address of ours. */
const NOWHERE = '/sehol';
/** Playwright's default options of a window. */
const SIZE = { width: 1280, height: 720 };

/**
 * In the page: whether what is unsaved would be asked about, and whether nothing is kept but the restaurant
 * and the look, which is given back.
 */
const left = async () => {
  // As if it had been given back in another window.
  localStorage.removeItem('pult.look');
  dispatchEvent(new StorageEvent('storage', { key: 'pult.look' }));
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const leaving = new Event('beforeunload', { cancelable: true });
  dispatchEvent(leaving);
  localStorage.removeItem('pult.target');
  const {
    lang,
    dataset: { theme, density },
  } = document.documentElement;
  return {
    unsaved: leaving.defaultPrevented,
    clean:
      JSON.stringify([localStorage, sessionStorage, lang, theme, density]) ===
        '[{"pult.signed-in":"1"},{},"hu","light","desk"]' && document.querySelector('.shell') !== null,
  };
};

/** In the page: dismisses notices, and answers whether nothing is left open. */
const tidied = async () => {
  const over = () =>
    [
      ...document.querySelectorAll(
        '[role=dialog], [role=alertdialog], .ant-notification-notice, .ant-message-notice',
      ),
    ].filter((one) => one.checkVisibility());
  for (let frames = 0; over().length > 0 && frames < 30; frames++) {
    for (const one of document.querySelectorAll<HTMLElement>('.ant-notification-notice-close')) one.click();
    await new Promise((drawn) => requestAnimationFrame(drawn));
  }
  return over().length === 0;
};

/**
 * Navigates inside the application, like its own links: only the data of the screen are loaded.
 */
export const go = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    // The router counts its steps.
    history.pushState({ ...history.state, idx: history.state.idx + 1 }, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);

/** Leaves every restaurant: nothing of it is kept, read or heard there. What is unsaved is given up, as one does. */
async function leaveRestaurant(page: Page, unsaved: boolean): Promise<boolean> {
  await go(page, NOWHERE);
  const done = (action: Promise<void>) =>
    action.then(
      () => true,
      () => false,
    );
  if (unsaved) {
    const discard = page.getByRole('dialog').getByRole('button', { name: 'Elvetés', exact: true }).last();
    if (!(await done(discard.click({ timeout: 2_000 })))) return false;
  }
  // A busy page draws what it left for a moment more.
  return done(page.getByRole('heading', { level: 1, name: '404' }).waitFor({ timeout: 5_000 }));
}

/** Leaves what the page shows before a test removes it: the page hears of that, and would read it again. */
export const leave = async (page: Page): Promise<void> => {
  if (page.isClosed()) return;
  const [stands, unsaved] = await page.evaluate(() => {
    const leaving = new Event('beforeunload', { cancelable: true });
    dispatchEvent(leaving);
    return [document.querySelector('.shell') !== null, leaving.defaultPrevented] as const;
  });
  if (stands) await leaveRestaurant(page, unsaved);
};

/**
 * Whether the application stands there with nothing known or made up: the next screen is opened inside of it.
 */
export const isLoaded = ({ page, loaded, routed, spoilt }: Window): boolean =>
  loaded && !routed && !spoilt && page.url() === SERVICE + NOWHERE;

/**
 * Windows that are used again: a page that starts in a new one takes ten times as long as a screen that is
 * opened in one where the application stands. After a test the window gets back its cookies, storage, size
 * and look; routes, listeners and other pages go. When nothing is left of the test, the application leaves
 * its restaurant, with all it knew of it, and the next test's first screen is opened from there; else that is
 * loaded anew. A window in which a test did what has no way back is closed; after a failure Playwright begins
 * a new worker with new windows.
 */
export class Windows {
  readonly #browser: Browser;
  readonly #windows = new Map<string, Window>();

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** The window of somebody, with one page. */
  async take(who: string, storageState: State): Promise<Window> {
    const old = this.#windows.get(who);
    if (old) return old;
    const context = await this.#browser.newContext({ storageState });
    const window: Window = {
      context,
      page: await context.newPage(),
      spoilt: false,
      routed: false,
      loaded: false,
    };
    const marks = <T extends object>(
      as: 'spoilt' | 'routed',
      of: T,
      names: (keyof T)[],
      when: (pattern: unknown) => boolean = () => true,
    ) => {
      for (const name of names) {
        const call = (of[name] as (...words: unknown[]) => unknown).bind(of);
        of[name] = ((...words: unknown[]) => {
          if (when(words[0])) window[as] = true;
          return call(...words);
        }) as T[typeof name];
      }
    };
    marks('spoilt', context, [
      'addInitScript',
      'grantPermissions',
      'exposeFunction',
      'exposeBinding',
      'routeWebSocket',
      'newCDPSession',
      'setExtraHTTPHeaders',
      'setOffline',
    ]);
    marks('spoilt', window.page, [
      'addInitScript',
      'exposeFunction',
      'exposeBinding',
      'routeWebSocket',
      'setExtraHTTPHeaders',
    ]);
    marks('spoilt', window.page.clock, ['install']);
    const isCached = (pattern: unknown) =>
      typeof pattern === 'function' || CACHED_CALLS.test(String(pattern));
    marks('routed', context, ['route'], isCached);
    marks('routed', window.page, ['route'], isCached);
    this.#windows.set(who, window);
    return window;
  }

  /**
   * After a test: ready for the next one, or closed. Nobody's window, in which people sign in and out, always
   * is.
   */
  async giveBack(who: string, { cookies }: State, close: boolean): Promise<void> {
    const window = this.#windows.get(who)!;
    const { context, page } = window;
    for (const event of LISTENED) page.removeAllListeners(event);
    if (close || who === 'none' || page.isClosed() || window.spoilt || !page.url().startsWith(SERVICE))
      return this.#close(who);
    await Promise.all([
      context.unrouteAll({ behavior: 'ignoreErrors' }),
      page.unrouteAll({ behavior: 'ignoreErrors' }),
    ]);
    await Promise.all(
      context
        .pages()
        .filter((one) => one !== page)
        .map((one) => one.close()),
    );
    await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: 'reduce' });
    await page.setViewportSize(SIZE);
    window.loaded = false;
    const { unsaved, clean } = await page.evaluate(left);
    const now = await context.cookies();
    const same =
      now.length === cookies.length &&
      cookies.every((one) => now.some(({ name, value }) => name === one.name && value === one.value));
    if (clean && same && !window.routed) {
      if (await leaveRestaurant(page, unsaved)) {
        window.loaded = await page.evaluate(tidied);
        return;
      }
    }
    window.routed = false;
    // What the page still does is over with it, and what is unsaved is given up.
    page.once('dialog', (dialog) => void dialog.accept());
    await page.goto(`${SERVICE}/favicon.svg`);
    page.removeAllListeners('dialog');
    await page.evaluate(() => (localStorage.clear(), sessionStorage.clear()));
    await context.clearCookies();
    await context.addCookies(cookies);
  }

  async #close(who: string): Promise<void> {
    await this.#windows.get(who)!.context.close();
    this.#windows.delete(who);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#windows.values()].map(({ context }) => context.close()));
  }
}
